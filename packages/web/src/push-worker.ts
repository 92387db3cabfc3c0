/// <reference lib="webworker" />
// The service worker: shows what the server pushes while no tab does. It is one file without imports, because browsers fetch it alone.

declare const self: ServiceWorkerGlobalScope;

/** What the server sends; see docs/push.md. */
type Note =
  | {
      type: 'show';
      tag: string;
      title: string;
      body: string;
      path: string;
      lang: string;
      is_new: boolean;
      /** Unread messages, oldest first. */
      ids: number[];
    }
  | { type: 'close'; tag: string };

interface Shown {
  path: string;
  ids: number[];
}

// A new version has nothing to wait for: it shares no state with pages.
self.addEventListener('install', () => void self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

self.addEventListener('push', (event) => {
  const note = event.data?.json() as Note | undefined;
  if (note) event.waitUntil(alone(() => (note.type === 'show' ? show(note) : close(note.tag))));
});

/** Chromium forgets a notification that is shown while a tab, or another push, asks for the list: then nothing takes it back. */
const alone = (work: () => Promise<void>): Promise<void> => self.navigator.locks.request('notifications', work);

async function show(note: Extract<Note, { type: 'show' }>): Promise<void> {
  // The tab that somebody looks at tells them itself.
  if (note.is_new && (await isInView())) return;
  const known = await idsShownAs(note.tag);
  const isNew = note.is_new && !known.has(note.ids.at(-1) ?? 0);
  const shown: Shown = { path: note.path, ids: note.ids };
  await self.registration.showNotification(note.title, {
    ...{ body: note.body, tag: note.tag, lang: note.lang, dir: 'auto', data: shown },
    icon: '/favicon.svg',
    // One for each conversation; it makes a sound for new messages only.
    ...(isNew ? { renotify: true } : { silent: true }),
  } as NotificationOptions);
}

async function isInView(): Promise<boolean> {
  return (await listTabs()).some(({ focused, visibilityState }) => focused && visibilityState === 'visible');
}

/** Of the client: other pages of the site tell nobody of messages. */
async function listTabs(): Promise<readonly WindowClient[]> {
  const tabs = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  return tabs.filter(({ url }) => new URL(url).pathname === '/');
}

async function idsShownAs(tag: string): Promise<Set<number>> {
  const shown = await self.registration.getNotifications({ tag });
  return new Set(shown.flatMap(({ data }) => (data as Shown | null)?.ids ?? []));
}

async function close(tag: string): Promise<void> {
  for (const notification of await self.registration.getNotifications({ tag })) notification.close();
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open((event.notification.data as Shown | null)?.path ?? '/'));
});

/** In the tab that was looked at last, or in a new one. */
async function open(path: string): Promise<void> {
  const [tab] = await listTabs();
  if (!tab) return void (await self.clients.openWindow(path));
  // Tabs go there without loading the page anew.
  tab.postMessage({ kind: 'open', path });
  await tab.focus();
}

// A module, so that its `self` is its own.
export {};
