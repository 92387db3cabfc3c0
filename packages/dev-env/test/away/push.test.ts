import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import {
  addFcmToken,
  addWebPushSubscription,
  deleteMessage,
  editMessage,
  getServerSettings,
  getWebPushSubscriptions,
  markAllAsRead,
  muteUser,
  regenerateApiKey,
  registerQueue,
  sendMessage,
  sendTestPush,
  subscribe,
  unsubscribe,
  updateFlags,
  updateRealm,
  updateUserSettings,
} from '@parley/gateway/endpoints';
import { createFakeClock, until } from '@parley/shared/testing';
import { eg, type TestClient, TestNetwork } from '../../src';
import { type PushNote, TestPushService, vapidKeys } from './push-service';

const { VAPID_PRIVATE_KEY, publicKey } = vapidKeys();
const pushService = new TestPushService(publicKey);
/** What the gateway for phones has got. */
const toPhones: { token: string; note: PushNote }[] = [];
let phones: Server;
/** Begins at the present: a push service checks until when a signature is valid. */
const clock = createFakeClock(Date.now());
let network: TestNetwork;

beforeAll(async () => {
  await pushService.start();
  phones = createServer(async (request, response) => {
    const { notifications } = JSON.parse(await text(request));
    toPhones.push(...notifications);
    const results = notifications.map(({ id, token }: { id: string; token: string }) => ({
      id,
      status: token === 'uninstalled' ? 'gone' : 'sent',
    }));
    response.end(JSON.stringify({ results }));
  });
  await new Promise<void>((resolve) => phones.listen(0, '127.0.0.1', resolve));
  const settings = {
    VAPID_PRIVATE_KEY,
    OUTGOING_ALLOW: '127.0.0.1',
    PUSH_GATEWAY_URL: `http://127.0.0.1:${(phones.address() as AddressInfo).port}/notify`,
    PUSH_GATEWAY_KEY: `whsec_${Buffer.alloc(32).toString('base64')}`,
  };
  network = await TestNetwork.create({ settings, clock, replicas: { scheduler: 2 } });
});
afterAll(async () => {
  await network?.stop();
  phones.closeAllConnections();
  phones.close();
  pushService.stop();
});

let count = 0;

/** A browser of the person; its name. */
async function browserOf(client: TestClient): Promise<string> {
  count += 1;
  const name = `browser${count}`;
  await client.call(addWebPushSubscription, pushService.subscribe(name));
  return name;
}

/** Much less than a delivery may take. */
const STEP_MS = 250;

/** Polls while the services' time passes: a device gets a delivery in five seconds. */
const untilLater = (look: () => boolean): Promise<boolean> =>
  until(() => {
    clock.advance(STEP_MS);
    return look();
  });

const take = async (name: string): Promise<PushNote[]> => {
  await network.settle();
  await untilLater(() => pushService.received.some((push) => push.name === name));
  return pushService.take(name);
};
const direct = (to: TestClient, content: string) => ({ type: 'direct' as const, to: [to.userId], content });
const send = async (from: TestClient, to: TestClient, content: string) =>
  (await from.call(sendMessage, direct(to, content))).id as number;

test('a message is told to a browser, encrypted, and taken back when it is read anywhere', async () => {
  const { dan, eve } = network;
  const name = await browserOf(eve);
  const id = await send(dan, eve, 'Soup?');
  expect(await take(name)).toEqual([
    expect.objectContaining({ type: 'show', title: 'Dan Brooks', body: 'Soup?', is_new: true, ids: [id] }),
  ]);
  await eve.call(updateFlags, { messages: [id], op: 'add', flag: 'read' });
  expect(await take(name)).toEqual([{ type: 'close', tag: expect.stringMatching(/^dm\//) }]);
  await send(dan, eve, 'More?');
  await take(name);
  await eve.call(markAllAsRead, {});
  expect(await take(name)).toMatchObject([{ type: 'close' }]);
});

test('it is taken back when it is deleted, and told as it is when it is sent', async () => {
  const { dan, iris } = network;
  const name = await browserOf(iris);
  const id = await send(dan, iris, 'wrong');
  await take(name);
  await dan.call(deleteMessage, { message_id: id });
  expect(await take(name)).toMatchObject([{ type: 'close' }]);
  pushService.statuses.push(503);
  const edited = await send(dan, iris, 'first');
  await untilLater(() => pushService.statuses.length === 0);
  await dan.call(editMessage, { message_id: edited, content: 'second' });
  expect(await take(name)).toMatchObject([{ body: 'second' }]);
});

test('it is taken back when an edit takes the mention back, and comes when one adds it', async () => {
  const { dan, eve } = network;
  const name = await browserOf(eve);
  const said = { type: 'channel', to: eg.general, topic: 'mentions' } as const;
  const { id } = await dan.call(sendMessage, { ...said, content: `@**${eg.eve.fullName}** hi` });
  expect(await take(name)).toMatchObject([{ body: 'Dan Brooks: @Eve Castillo hi' }]);
  await dan.call(editMessage, { message_id: id, content: 'hi' });
  expect(await take(name)).toMatchObject([{ type: 'close' }]);
  await dan.call(editMessage, { message_id: id, content: `@**${eg.eve.fullName}** after all` });
  expect(await take(name)).toMatchObject([{ body: 'Dan Brooks: @Eve Castillo after all', is_new: true }]);
});

test('it is taken back when its reader loses the channel, or mutes its sender', async () => {
  const { dan, eve, iris } = network;
  const name = await browserOf(eve);
  await dan.call(subscribe, {
    subscriptions: [{ name: 'secret' }],
    invite_only: true,
    principals: [dan.userId, eve.userId],
  });
  await dan.call(sendMessage, { type: 'channel', to: 'secret', topic: 'x', content: `@**${eg.eve.fullName}** hi` });
  expect(await take(name)).toMatchObject([{ title: '#secret › x', body: 'Dan Brooks: @Eve Castillo hi' }]);
  await dan.call(unsubscribe, { subscriptions: ['secret'], principals: [eve.userId] });
  expect(await take(name)).toMatchObject([{ type: 'close' }]);
  await send(iris, eve, 'ping');
  await take(name);
  await eve.call(muteUser, { muted_user_id: iris.userId });
  expect(await take(name)).toMatchObject([{ type: 'close' }]);
});

describe('settings decide', () => {
  test('whether there are notifications at all, and what they tell', async () => {
    const { dan, iris } = network;
    const name = await browserOf(iris);
    const set = (settings: object) => iris.call(updateUserSettings, settings);
    await set({ enable_offline_push_notifications: false });
    await send(dan, iris, 'not told');
    // Settings count at the moment in which it is decided who is told.
    await network.settle();
    await set({ enable_offline_push_notifications: true, pm_content_in_desktop_notifications: false });
    await set({ default_language: 'de' });
    await send(dan, iris, 'secret');
    expect(await take(name)).toMatchObject([{ title: 'Dan Brooks', body: 'Neue Nachricht' }]);
    await set({ pm_content_in_desktop_notifications: true, default_language: 'en' });
  });

  test('for followed topics, channels and wildcards', async () => {
    const { dan, faye } = network;
    const name = await browserOf(faye);
    const general = (content: string) =>
      dan.call(sendMessage, { type: 'channel', to: eg.general, topic: 'push', content });
    await general('nobody in particular');
    await network.settle();
    await faye.call(updateUserSettings, { enable_stream_push_notifications: true });
    await network.settle();
    await general('to all who want it');
    expect(await take(name)).toMatchObject([{ body: 'Dan Brooks: to all who want it' }]);
    await faye.call(updateUserSettings, { enable_stream_push_notifications: false });
    await faye.call(markAllAsRead, {});
    await take(name);
  });
});

describe('phones', () => {
  test('are notified by the gateway of the organization, which says which ones are gone', async () => {
    const { dan, iris } = network;
    for (const token of ['phone', 'uninstalled']) await iris.call(addFcmToken, { token });
    const tokens = () => toPhones.map(({ token }) => token).sort();
    await send(dan, iris, 'Soup?');
    await untilLater(() => tokens().length >= 2);
    expect(tokens()).toEqual(['phone', 'uninstalled']);
    expect(toPhones[0]).toMatchObject({ kind: 'fcm', note: { type: 'show', body: expect.stringContaining('Soup?') } });
    await until(
      async () => (await iris.expectError('INVALID_PUSH_DEVICE_TOKEN', sendTestPush, { token: 'uninstalled' })) && true,
    );
    toPhones.length = 0;
    await iris.call(sendTestPush, { token: 'phone' });
    expect(toPhones).toMatchObject([{ token: 'phone', note: { tag: 'test' } }]);
  });

  test('are told nothing but a number where the organization requires encryption', async () => {
    const { dan, iris } = network;
    await iris.call(markAllAsRead, {});
    await untilLater(() => toPhones.some(({ note }) => note.type === 'close'));
    toPhones.length = 0;
    await iris.call(updateRealm, { require_e2ee_push_notifications: true });
    await send(dan, iris, 'secret');
    await untilLater(() => toPhones.length > 0);
    expect(JSON.stringify(toPhones)).not.toMatch(/secret|Dan/);
    expect(toPhones).toMatchObject([{ note: { title: eg.home.name, body: 'New message' } }]);
    await iris.call(updateRealm, { require_e2ee_push_notifications: false });
  });

  test('learn from the server that there are notifications', async () => {
    const { dan } = network;
    expect(await dan.call(getServerSettings, {})).toMatchObject({ push_notifications_enabled: true });
    const state = await dan.call(registerQueue, { fetch_event_types: ['realm'] });
    expect(state).toMatchObject({ realm_push_notifications_enabled: true });
  });
});

describe('a browser gets nothing more', () => {
  test('when its push service does not know it', async () => {
    const { dan, eve } = network;
    await browserOf(dan);
    pushService.statuses.push(410);
    await send(eve, dan, 'hello?');
    await until(async () => (await dan.call(getWebPushSubscriptions, {})).subscriptions.length === 0);
  });

  test('when the key that registered it ends', async () => {
    const { zoe } = network;
    await browserOf(zoe);
    const { api_key: apiKey } = await zoe.call(regenerateApiKey, {});
    await network.settle();
    const { json } = await zoe.callRaw({
      method: 'GET',
      path: '/api/v1/users/me/web_push_subscriptions',
      headers: { authorization: `Basic ${Buffer.from(`${zoe.email}:${apiKey}`).toString('base64')}` },
    });
    expect(json).toMatchObject({ subscriptions: [] });
  });
});
