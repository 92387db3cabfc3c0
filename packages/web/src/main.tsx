import { render } from 'preact';
import { connect } from './api/connect';
import { takeNews } from './store/model';
import { App } from './view/app';

render(<App />, document.getElementById('app') as HTMLElement);
connect(takeNews);
