import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { hasMessages, isUnsent } from '../narrow/narrow';
import { isReady, link, onEvent, read } from '../store/model';
import { place } from '../store/place';
import { titleCount } from '../store/title-count';
import { isFollowed } from '../store/topic-policies';
import { unread } from '../store/unread';
import { shownLanguage, texts } from '../texts/texts';
import { Dialogs } from './base/dialog';
import { isFirstViewShown, noteShownView } from './base/first-view';
import { isOutdated, lazily } from './base/lazily';
import { Popovers } from './base/menu';
import { Notices } from './base/notices';
import { Compose } from './compose/compose';
import { MessageView } from './messages/message-view';
import { PeopleList } from './people/people-list';
import { drawer } from './places/drawers';
import { Header } from './places/header';
import { Inbox } from './places/inbox';
import { usePlaceKeys } from './places/place-keys';
import { Sidebar } from './places/sidebar';

const RecentView = lazily(async () => (await import('./places/recent-view')).RecentView);
const UnsentView = lazily(async () => (await import('./compose/unsent-view')).UnsentView);
const Settings = lazily(async () => (await import('./settings/settings-view')).SettingsView);
const ChannelsPage = lazily(async () => (await import('./channels/channels-page')).ChannelsPage);

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
  const { narrow } = place.value;
  usePlaceKeys();
  useEffect(() => {
    if (!hasMessages(narrow)) noteShownView();
  }, [narrow]);
  // A person who has gone somewhere wants to see it.
  useEffect(() => {
    drawer.value = null;
  }, [narrow]);
  return (
    <div class={`rooms${drawer.value ? ` ${drawer.value}-open` : ''}`} onPointerOver={showWhole}>
      <Title />
      <Header />
      <nav class="left" aria-label={texts.value.viewsAndChannels}>
        <Sidebar />
      </nav>
      <main class="middle">
        <LinkBanner />
        <ReloadBanner />
        <Middle />
        <Popovers />
      </main>
      <aside class="right" aria-label={texts.value.people}>
        {isFirstViewShown.value && <PeopleList />}
      </aside>
      {drawer.value && (
        <button type="button" class="curtain" aria-label={texts.value.close} onClick={() => (drawer.value = null)} />
      )}
      <Dialogs />
      <Notices />
    </div>
  );
}

/** A name that is cut is shown whole beside the pointer. */
function showWhole({ target }: PointerEvent): void {
  const name = (target as Element).closest<HTMLElement>('.label, .description');
  if (!name) return;
  if (name.scrollWidth > name.clientWidth) name.title = name.innerText;
  else name.removeAttribute('title');
}

function Middle() {
  const { narrow } = place.value;
  if (narrow.kind === 'settings') return <Settings area={narrow.area} path={narrow.path} />;
  if (narrow.kind === 'channels') return <ChannelsPage path={narrow.path} />;
  if (hasMessages(narrow)) return <MessageView />;
  return (
    <>
      {narrow.kind === 'inbox' && <Inbox />}
      {narrow.kind === 'recent' && <RecentView />}
      {isUnsent(narrow) && <UnsentView kind={narrow.kind} />}
      <Compose narrow={narrow} />
    </>
  );
}

/** Shorter interruptions are not worth a word. */
const BLIP_MS = 4_000;

function LinkBanner() {
  const isLong = useSignal(false);
  const isDown = link.value === 'down';
  useEffect(() => {
    if (!isDown) return;
    const timer = setTimeout(() => {
      isLong.value = true;
    }, BLIP_MS);
    return () => {
      clearTimeout(timer);
      isLong.value = false;
    };
  }, [isDown]);
  return isDown && isLong.value ? (
    <p class="banner" role="status">
      {texts.value.offline}
    </p>
  ) : null;
}

/** The server has a newer client. */
function ReloadBanner() {
  useEffect(
    () =>
      onEvent(({ type }) => {
        if (type === 'web_reload_client') isOutdated.value = true;
      }) as () => void,
    [],
  );
  return isOutdated.value ? (
    <p class="banner" role="status">
      {texts.value.newVersion}{' '}
      <button type="button" onClick={() => location.reload()}>
        {texts.value.reload}
      </button>
    </p>
  ) : null;
}

/** The title of the page counts what is unread, as the person has set it. Screen readers read the page in its language. */
function Title() {
  const { user_settings: settings, realm_name } = read('settings');
  const count = titleCount(settings['desktop_icon_count_display'], unread.value, isFollowed);
  useEffect(() => {
    document.title = count > 0 ? `(${count}) ${realm_name}` : realm_name;
  }, [count, realm_name]);
  useEffect(() => {
    document.documentElement.lang = shownLanguage.value;
  }, [shownLanguage.value]);
  return null;
}
