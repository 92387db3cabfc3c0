import { getWebPushSubscriptions, sendMessage, sendTestPush, updateUserSettings } from '@parley/gateway/endpoints';
import { until } from '@parley/shared/testing';
import type { CDPSession, Page, Worker } from 'playwright-core';
import { eg, type TestClient, TestNetwork } from '../../src';
import { INSTALLING_MS } from '../../src/network/chromium';
import { messageWith } from '../web/on-page';
import { HOME, type WebPeople, type WebPerson, webPeopleOf } from '../web/web-people';
import { type PushNote, TestPushService, type TestSubscription, vapidKeys } from './push-service';

const { VAPID_PRIVATE_KEY, publicKey } = vapidKeys();
const pushService = new TestPushService(publicKey);
let network: TestNetwork;
let people: WebPeople;

beforeAll(async () => {
  await pushService.start();
  const settings = { DEV_LOGIN: '1', VAPID_PRIVATE_KEY, OUTGOING_ALLOW: '127.0.0.1' };
  network = await TestNetwork.create({ settings });
  people = await webPeopleOf(network, { hasNotifications: true });
}, INSTALLING_MS);
afterAll(async () => {
  await people?.close();
  await network?.stop();
  pushService.stop();
});

const SETTINGS = '#settings/notifications';
const TURN_ON = 'Notify this browser';
const TURN_OFF = 'Notify this browser no longer';

/** The browser of the tests cannot reach a push service: a page gets its subscription from here. */
const giveSubscription = (given: TestSubscription | null) => `(() => {
  const given = ${JSON.stringify(given)};
  const KEY = 'subscribed of the test';
  const bytes = (text) => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0)).buffer;
  const subscription = (key) => ({
    endpoint: given.endpoint,
    options: { applicationServerKey: bytes(key) },
    toJSON: () => ({ endpoint: given.endpoint, keys: { p256dh: given.p256dh, auth: given.auth } }),
    unsubscribe: async () => localStorage.removeItem(KEY),
  });
  PushManager.prototype.subscribe = async ({ applicationServerKey, userVisibleOnly }) => {
    if (!given || !userVisibleOnly) throw new DOMException('no push service', 'AbortError');
    localStorage.setItem(KEY, applicationServerKey);
    return subscription(applicationServerKey);
  };
  PushManager.prototype.getSubscription = async () => {
    const key = localStorage.getItem(KEY);
    return key && subscription(key);
  };
})()`;

interface PushedPerson extends WebPerson {
  client: TestClient;
  name: string;
  cdp: CDPSession;
  registrationId: string;
}

/** Somebody who has switched on notifications in their browser. */
async function openPushed(client: TestClient, name: string): Promise<PushedPerson> {
  const person = await people.open(client, SETTINGS, {}, async (context) => {
    await context.grantPermissions(['notifications'], { origin: HOME });
    await context.addInitScript(giveSubscription(pushService.subscribe(name)));
  });
  const { context, page } = person;
  const cdp = await context.newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    cdp.on('ServiceWorker.workerVersionUpdated', ({ versions }) => {
      const active = versions.find(({ status }) => status === 'activated');
      if (active) resolve(active.registrationId);
    });
  });
  await cdp.send('ServiceWorker.enable');
  await page.getByRole('button', { name: TURN_ON, exact: true }).click();
  await page.getByRole('button', { name: TURN_OFF, exact: true }).waitFor();
  return { ...person, client, name, cdp, registrationId: await registered };
}

/** As the browser's push service would. */
async function deliver({ cdp, registrationId }: PushedPerson, note: PushNote): Promise<void> {
  await cdp.send('ServiceWorker.deliverPushMessage', { origin: HOME, registrationId, data: JSON.stringify(note) });
}

interface Shown {
  title: string;
  body: string;
  tag: string;
}

/** With the lock that the client takes: Chromium forgets a notification that comes while somebody asks for the list. */
const shownIn = (page: Page): Promise<Shown[]> =>
  page.evaluate(`(async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    const shown = (await navigator.locks.request('notifications', () => registration?.getNotifications())) ?? [];
    return shown.map(({ title, body, tag }) => ({ title, body, tag }));
  })()`);

const untilShown = (page: Page, matches: (shown: Shown[]) => boolean) =>
  until(async () => {
    const shown = await shownIn(page);
    return matches(shown) && shown;
  });

/** Another page of the site is open, which tells nobody of messages. In the browser of tests every tab is in view. */
async function lookAway({ page }: WebPerson): Promise<void> {
  await page.goto(`${HOME}/docs`);
}

/** Back to the settings. */
async function lookAgain({ page }: WebPerson): Promise<void> {
  await page.goto(`${HOME}/${SETTINGS}`);
}

const note = (tag: string, ids: number[], body: string): PushNote => ({
  ...{ type: 'show', tag, title: 'Somebody', body, path: '/#feed', is_new: true, ids },
});

test('a browser is switched on and off in the settings, and gets what the server sends', async () => {
  const dan = await openPushed(network.dan, 'dan');
  const { subscriptions, application_server_key } = await network.dan.call(getWebPushSubscriptions, {});
  expect(application_server_key).toBe(publicKey);
  expect(subscriptions).toMatchObject([{ endpoint: expect.stringContaining('/dan') }]);
  await lookAway(dan);
  await network.dan.call(sendTestPush, { token: subscriptions[0]?.endpoint });
  const [sent] = (await pushService.take('dan')) as [PushNote];
  await deliver(dan, sent);
  const [shown] = await untilShown(dan.page, ({ length }) => length === 1);
  expect(shown).toMatchObject({ body: 'Notifications reach this device.', tag: 'test' });
  await lookAgain(dan);
  await dan.page.getByRole('button', { name: TURN_OFF, exact: true }).click();
  await dan.page.getByRole('button', { name: TURN_ON, exact: true }).waitFor();
  expect((await network.dan.call(getWebPushSubscriptions, {})).subscriptions).toEqual([]);
  expect(dan.complaints).toEqual([]);
  await dan.context.close();
});

test('notifications of a conversation replace one another, and are closed', async () => {
  const eve = await openPushed(network.eve, 'eve');
  await lookAway(eve);
  await deliver(eve, note('channel/1/a', [1], 'first'));
  await deliver(eve, note('channel/1/b', [2], 'other'));
  await deliver(eve, note('channel/1/a', [1, 3], 'first and third'));
  const bodies = (shown: Shown[]) => shown.map(({ body }) => body).sort();
  const shown = await untilShown(eve.page, (all) => all.some(({ body }) => body === 'first and third'));
  expect(bodies(shown)).toEqual(['first and third', 'other']);
  await deliver(eve, { type: 'close', tag: 'channel/1/a' });
  expect(bodies(await untilShown(eve.page, ({ length }) => length === 1))).toEqual(['other']);
  expect(eve.complaints).toEqual([]);
  await eve.context.close();
});

test('notifications that come while a tab asks for them can all be taken back', async () => {
  const faye = await openPushed(network.faye, 'faye');
  await lookAway(faye);
  const tags = Array.from({ length: 100 }, (_, at) => `channel/1/${at}`);
  for (const tag of tags) {
    await deliver(faye, note(tag, [1], tag));
    await shownIn(faye.page);
  }
  await untilShown(faye.page, (all) => all.some(({ tag }) => tag === tags.at(-1)));
  expect(await shownIn(faye.page)).toHaveLength(tags.length);
  for (const tag of tags) await deliver(faye, { type: 'close', tag });
  await untilShown(faye.page, ({ length }) => length === 0);
  await faye.context.close();
});

test('the tab that somebody looks at needs no notification', async () => {
  const iris = await openPushed(network.iris, 'iris');
  await deliver(iris, note('channel/1/seen', [1], 'seen'));
  // Brought up to date in any case, and after the one before.
  await deliver(iris, { ...note('channel/1/known', [2], 'known'), is_new: false });
  expect(await untilShown(iris.page, ({ length }) => length > 0)).toMatchObject([{ body: 'known' }]);
  await lookAway(iris);
  await deliver(iris, note('channel/1/away', [3], 'away'));
  const shown = await untilShown(iris.page, (all) => all.some(({ body }) => body === 'away'));
  expect(shown.map(({ body }) => body).sort()).toEqual(['away', 'known']);
  await iris.context.close();
});

/**
 * Clicks on the only notification, as its reader would; resolves with what the worker asked the browser for. Only people's own clicks may
 * open and focus windows.
 */
function clickIn(worker: Worker): Promise<string[]> {
  return worker.evaluate(`(async () => {
    const asked = [];
    WindowClient.prototype.focus = async () => void asked.push('focus');
    Clients.prototype.openWindow = async (path) => void asked.push(path);
    const [notification] = await self.registration.getNotifications();
    const event = new NotificationEvent('notificationclick', { notification });
    let work;
    event.waitUntil = (promise) => { work = promise; };
    self.dispatchEvent(event);
    await work;
    return asked;
  })()`);
}

describe('a click on a notification', () => {
  let eve: PushedPerson;
  let worker: Worker;
  beforeAll(async () => {
    eve = await openPushed(network.eve, 'clicks');
    [worker] = eve.context.serviceWorkers() as [Worker];
  });
  afterAll(() => eve.context.close());

  /** A message to her in this topic has come while she was away. */
  async function notified(topic: string): Promise<void> {
    const content = `@**${eg.eve.fullName}** come to ${topic}`;
    await network.dan.call(sendMessage, { type: 'channel', to: eg.general, topic, content });
    const [sent] = (await pushService.take('clicks')) as [PushNote];
    await deliver(eve, sent);
    await untilShown(eve.page, ({ length }) => length === 1);
  }

  test('opens the conversation in a new tab where there is none', async () => {
    await lookAway(eve);
    await notified('tea');
    const [path] = await clickIn(worker);
    expect(path).toMatch(/^\/#narrow\//);
    await eve.page.goto(HOME + path);
    await messageWith(eve.page, 'come to tea').waitFor();
    await eve.page.getByRole('heading', { name: /tea/ }).waitFor();
  });

  test('opens it in the tab that there is, without loading the page anew', async () => {
    await eve.page.evaluate('globalThis.isSame = true');
    // The tab shows another conversation, and tells of the message itself, by the same worker.
    await notified('cake');
    expect(await clickIn(worker)).toEqual(['focus']);
    await messageWith(eve.page, 'come to cake').waitFor();
    await eve.page.getByRole('heading', { name: /cake/ }).waitFor();
    expect(await eve.page.evaluate('globalThis.isSame')).toBe(true);
  });
});

describe('the settings say why there are none', () => {
  const open = (script: string) => people.open(network.dan, SETTINGS, {}, (context) => context.addInitScript(script));

  test.each([
    ['the browser has none', 'delete globalThis.PushManager', 'This browser cannot be notified without an open tab.'],
    [
      'the person has forbidden them',
      "Object.defineProperty(Notification, 'permission', { get: () => 'denied' })",
      'The browser’s own settings for this page forbid notifications.',
    ],
    [
      'the page came without TLS',
      "Object.defineProperty(globalThis, 'isSecureContext', { get: () => false })",
      'Browsers are notified by pages with https only.',
    ],
  ])('%s', async (_name, script, text) => {
    const { page, context } = await open(script);
    await page.getByText(text).first().waitFor();
    expect(await page.getByRole('button', { name: TURN_ON, exact: true }).count()).toBe(0);
    await context.close();
  });

  test('the browser’s push service cannot be reached', async () => {
    const { page, context } = await people.open(network.dan, SETTINGS, {}, async (context) => {
      await context.grantPermissions(['notifications'], { origin: HOME });
      await context.addInitScript(giveSubscription(null));
    });
    await page.getByRole('button', { name: TURN_ON, exact: true }).click();
    await page.getByText('The push service of this browser did not answer.').waitFor();
    await context.close();
  });

  test('in German, too', async () => {
    await network.dan.call(updateUserSettings, { default_language: 'de' });
    const { page, context } = await open(giveSubscription(null));
    await page.getByRole('button', { name: 'Diesen Browser benachrichtigen', exact: true }).waitFor();
    await context.close();
    await network.dan.call(updateUserSettings, { default_language: 'en' });
  });
});
