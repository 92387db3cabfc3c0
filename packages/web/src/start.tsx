import { render } from 'preact';
import { connect } from './api/connect';
import { followAppearance } from './store/appearance';
import { takeNews } from './store/model';
import { followNotifications } from './store/notifications';
import { App } from './view/app';
import { keepFocus } from './view/base/keep-focus';

render(<App />, document.getElementById('app') as HTMLElement);
connect(takeNews);
followAppearance();
followNotifications();
keepFocus();
