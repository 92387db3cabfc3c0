import { createHash } from 'node:crypto';
import {
  addReaction,
  createChannel,
  editMessage,
  sendMessage,
  updateRealm,
  updateUserSettings,
} from '@parley/gateway/endpoints';
import { type TestClient, TestNetwork } from '../../src';

let network: TestNetwork;
beforeAll(async () => {
  network = await TestNetwork.create({ settings: { WEB_PUBLIC_STREAMS_ENABLED: 'true' } });
});
afterAll(() => network.stop());

const ANONYMOUS = { authorization: null, 'content-type': 'application/x-www-form-urlencoded' };

/** Registers at the organization of `client` without credentials. */
function visit(client: TestClient, form: Record<string, string> = {}) {
  const body = new URLSearchParams(form).toString();
  return client.callRaw({ method: 'POST', path: '/api/v1/register', headers: ANONYMOUS, body });
}

const admit = (isAdmitted: boolean) => network.iris.call(updateRealm, { enable_spectator_access: isAdmitted });

test('visitors get web-public channels, without a queue, while the organization admits them', async () => {
  const { iris, dan, zoe } = network;
  const refusal = { code: 'UNAUTHORIZED', msg: 'Not logged in: API authentication or user session required' };
  expect(await visit(iris)).toMatchObject({ status: 401, json: refusal });
  await admit(true);
  await iris.call(createChannel, { name: 'square', subscribers: [dan.userId], is_web_public: true });
  await dan.call(sendMessage, { type: 'stream', to: 'square', topic: 'hello', content: 'all the world' });

  const { status, json } = await visit(iris);
  expect(status).toBe(200);
  expect(json).toMatchObject({ queue_id: null, realm_presence_disabled: true, realm_allow_message_editing: false });
  expect(json).not.toHaveProperty('last_event_id');
  const square = { name: 'square', is_web_public: true, subscriber_count: 1 };
  expect(json).toMatchObject({ streams: [square], subscriptions: [square], unsubscribed: [], never_subscribed: [] });
  expect(json).toMatchObject({ realm_default_streams: [], realm_bots: [], custom_profile_fields: [], user_status: {} });
  expect(json).toMatchObject({ max_message_id: -1, unread_msgs: { count: 0 }, presences: {}, alert_words: [] });

  expect((await visit(zoe)).status).toBe(401);
  await admit(false);
  expect(await visit(iris)).toMatchObject({ status: 401, json: refusal });
});

test('visitors get users’ names, roles and pictures, but no address or time zone', async () => {
  const { iris, dan } = network;
  await admit(true);
  await dan.call(updateUserSettings, { timezone: 'Europe/Rome', email_address_visibility: 1 });
  const { json } = await visit(iris, { fetch_event_types: '["realm_user"]' });
  const users = json['realm_users'] as Record<string, unknown>[];
  const shown = users.find(({ user_id }) => user_id === dan.userId);
  expect(shown).toMatchObject({ is_bot: false, role: 400, delivery_email: null, timezone: '' });
  expect(shown?.['date_joined']).toMatch(/^\d{4}-\d\d-\d\d$/);
  expect(shown?.['avatar_url']).toEqual(expect.any(String));
  expect(JSON.stringify(users)).not.toContain(dan.email);
});

test('visitors cannot use endpoints that need an account', async () => {
  await admit(true);
  for (const [name, value] of [
    ['client_gravatar', 'true'],
    ['include_subscribers', 'true'],
  ] as const) {
    const msg = `Invalid '${name}' parameter for anonymous request`;
    expect(await visit(network.iris, { [name]: value })).toMatchObject({ status: 400, json: { msg } });
  }
});

test('visitors get no addresses of senders, and cannot search by them', async () => {
  const { iris, dan } = network;
  await admit(true);
  await dan.call(updateUserSettings, { email_address_visibility: 1 });
  const { id } = await iris.call(createChannel, { name: 'park', subscribers: [dan.userId], is_web_public: true });
  const content = '@**Dan Brooks** hello';
  const sent = await dan.call(sendMessage, { type: 'stream', to: id, topic: 'bench', content });
  await dan.call(editMessage, { message_id: sent.id, content: `${content}!` });
  await dan.call(addReaction, { message_id: sent.id, emoji_name: 'tada' });
  const ask = (path: string) =>
    iris.callRaw({ method: 'GET', path: `/api/v1${path}`, headers: { authorization: null } });
  const find = (...terms: object[]) => {
    const narrow = JSON.stringify([{ operator: 'channels', operand: 'web-public' }, ...terms]);
    const query = { anchor: 'newest', num_before: '100', num_after: '0', narrow };
    return ask(`/messages?${new URLSearchParams(query)}`);
  };
  const [one, several] = [await ask(`/messages/${sent.id}`), await find({ operator: 'sender', operand: dan.userId })];
  expect(one).toMatchObject({ status: 200, json: { message: { id: sent.id, sender_full_name: 'Dan Brooks' } } });
  expect(several).toMatchObject({
    status: 200,
    json: { messages: expect.arrayContaining([expect.objectContaining({ id: sent.id })]) },
  });
  const addressHash = createHash('md5').update(dan.email).digest('hex');
  for (const { text, json } of [one, several]) {
    expect(text).not.toContain(dan.email);
    expect(text).not.toContain(addressHash);
    const shown = (json['message'] ?? (json['messages'] as object[]).at(-1)) as Record<string, unknown>;
    expect(shown['sender_email']).toMatch(new RegExp(`^user${dan.userId}@`));
    expect(shown['avatar_url']).toMatch(/^\/static\/pictures\/\d+\/DB\.svg/);
  }
  for (const operand of [dan.email, 'nobody@example.com']) {
    const { status, json } = await find({ operator: 'sender', operand });
    const msg = `Invalid narrow operator: unknown user ${operand}`;
    expect({ status, ...json }).toMatchObject({ status: 400, code: 'BAD_NARROW', msg });
  }
});
