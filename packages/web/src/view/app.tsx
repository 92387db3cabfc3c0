import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { isUnsent } from '../narrow/narrow';
import { isReady, link, read } from '../store/model';
import { place } from '../store/place';
import { texts } from '../texts/texts';
import { Dialogs } from './base/dialog';
import { Popovers } from './base/menu';
import { Notices } from './base/notices';
import { Compose } from './compose/compose';
import { UnsentView } from './compose/unsent-view';
import { MessageView } from './messages/message-view';
import { PeopleList } from './people/people-list';
import { Inbox } from './places/inbox';
import { Sidebar } from './places/sidebar';

export function App() {
  if (link.value === 'signed-out') signIn();
  if (!isReady.value) return <p class="notice">{texts.value.loading}</p>;
  return <Rooms />;
}

/** Comes back to the same place afterwards. */
function signIn(): void {
  location.assign(`/accounts/login?next=${encodeURIComponent(`/${location.hash}`)}`);
}

function Rooms() {
  const isMenuOpen = useSignal(false);
  const { narrow } = place.value;
  // A person who has gone somewhere wants to see it.
  useEffect(() => {
    isMenuOpen.value = false;
  }, [narrow]);
  return (
    <div class={isMenuOpen.value ? 'rooms menu-open' : 'rooms'}>
      <Title />
      <nav class="left" aria-label={texts.value.channels}>
        <Sidebar />
      </nav>
      <main class="middle">
        <button
          class="menu"
          type="button"
          aria-expanded={isMenuOpen.value}
          onClick={() => {
            isMenuOpen.value = !isMenuOpen.value;
          }}
        >
          ☰ <span class="hidden">{texts.value.menu}</span>
        </button>
        {link.value === 'down' && (
          <p class="banner" role="status">
            {texts.value.offline}
          </p>
        )}
        {narrow.kind === 'inbox' && <Inbox />}
        {isUnsent(narrow) && <UnsentView kind={narrow.kind} />}
        {(narrow.kind === 'inbox' || isUnsent(narrow)) && <Compose narrow={narrow} />}
        {narrow.kind !== 'inbox' && !isUnsent(narrow) && <MessageView />}
      </main>
      <aside class="right" aria-label={texts.value.people}>
        <PeopleList />
      </aside>
      <Dialogs />
      <Popovers />
      <Notices />
    </div>
  );
}

/** The title of the page counts what is unread. */
function Title() {
  const { unread_msgs, realm_name } = read('unread', 'settings');
  const { count } = unread_msgs;
  useEffect(() => {
    document.title = count > 0 ? `(${count}) ${realm_name}` : realm_name;
  }, [count, realm_name]);
  return null;
}
