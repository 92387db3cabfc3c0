import {
  getMessage,
  getMessages,
  getOwnUser,
  regenerateApiKey,
  renderContent,
  sendMessage,
} from '@parley/gateway/endpoints';
import { eg, type RawAnswer, type TestClient, TestNetwork } from '../../src';

let network: TestNetwork;
beforeAll(async () => {
  network = await TestNetwork.create();
});
afterAll(() => network.stop());

const basic = (email: string, apiKey: string) => `Basic ${Buffer.from(`${email}:${apiKey}`).toString('base64')}`;
const asIs = ({ status, json }: RawAnswer) => ({ status, ...json });

describe('a client without valid credentials', () => {
  const me = { method: 'GET', path: '/api/v1/users/me' };

  test('is refused without the reason', async () => {
    const { dan, eve } = network;
    const attempts = {
      'a wrong key': basic(dan.email, 'x'.repeat(32)),
      'somebody else’s key': basic(dan.email, eve.apiKey),
      'nobody’s address': basic('nobody@example.com', dan.apiKey),
      'an account of another organization': basic(network.zoe.email, network.zoe.apiKey),
    };
    for (const authorization of Object.values(attempts)) {
      const { status, json } = await dan.callRaw({ ...me, headers: { authorization } });
      expect({ status, ...json }).toMatchObject({ status: 401, result: 'error', code: 'UNAUTHORIZED' });
    }
  });

  test.each([
    ['no header', null, 401],
    ['another scheme', 'Bearer x', 400],
    ['no colon', `Basic ${Buffer.from('x').toString('base64')}`, 401],
    ['no base64', 'Basic %%%', 401],
  ])('is refused: %s', async (_what, authorization, expected) => {
    const { status, json } = await network.dan.callRaw({ ...me, headers: { authorization } });
    expect({ status, ...json }).toMatchObject({ status: expected, result: 'error' });
  });

  test('is the owner of the key, with either casing of the address', async () => {
    const { dan } = network;
    const authorization = basic(dan.email.toUpperCase(), dan.apiKey);
    expect((await dan.callRaw({ ...me, headers: { authorization } })).json).toMatchObject({ user_id: dan.userId });
  });
});

describe('another organization', () => {
  test('cannot be entered with the keys of this one', async () => {
    const host = `${eg.away.subdomain}.parley.test`;
    const answer = await network.dan.callRaw({ method: 'GET', path: '/api/v1/users/me', headers: { host } });
    expect(answer).toMatchObject({ status: 401 });
  });

  test('does not know this one’s users, channels and messages, under any id', async () => {
    const { dan, zoe } = network;
    const { id } = await dan.call(sendMessage, { type: 'channel', to: 'general', topic: 'home', content: 'ours' });
    await zoe.expectError('BAD_REQUEST', getMessage, { message_id: id });
    const toLeads = { type: 'channel', to: eg.leads.name, topic: 'x', content: 'x' } as const;
    await zoe.expectError('STREAM_DOES_NOT_EXIST', sendMessage, toLeads);
    await zoe.expectError('BAD_REQUEST', sendMessage, { type: 'direct', to: [dan.userId], content: 'x' });
    await zoe.expectError('BAD_REQUEST', sendMessage, { type: 'direct', to: [dan.email], content: 'x' });
    const { messages } = await zoe.call(getMessages, { anchor: 'newest', num_before: 100 });
    expect(messages).toEqual([]);
    expect((await zoe.call(getMessages, { message_ids: [id] })).messages).toEqual([]);
  });

  test('may have a channel of the same name, which is another one', async () => {
    const { dan, zoe } = network;
    const [atHome, away] = [await dan.events(), await zoe.events()];
    const { id } = await zoe.call(sendMessage, { type: 'channel', to: 'general', topic: 'x', content: 'theirs' });
    expect(await away.next('message')).toMatchObject({ message: { id } });
    await network.settle();
    expect((await atHome.rest()).filter(({ type }) => type === 'message')).toEqual([]);
  });
});

describe('a private channel', () => {
  test('is closed to others, and does not reveal its name for a guessed id', async () => {
    const { dan, eve } = network;
    const toLeads = { type: 'channel', topic: 'plans', content: 'x' } as const;
    const { id } = await dan.call(sendMessage, { ...toLeads, to: eg.leads.name });
    const { messages } = await dan.call(getMessages, { message_ids: [id] });
    const channelId = messages[0]?.stream_id as number;
    const answerTo = async (to: string | number) => {
      const { code, msg } = await eve.expectError('STREAM_DOES_NOT_EXIST', sendMessage, { ...toLeads, to });
      return `${code}: ${msg}`.replace(String(to), '…');
    };
    expect(await answerTo(eg.leads.name)).toBe(await answerTo('nothing'));
    expect(await answerTo(channelId)).toBe(await answerTo(999_999));
  });

  test('is a link in messages of users who may see it, and plain text in those of others', async () => {
    const { dan, eve, iris } = network;
    const forms = ['#**leads**', '#**leads>plans**', '#**leads>plans@1**'];
    const render = async (client: TestClient, content: string) =>
      (await client.call(renderContent, { content })).rendered;
    for (const content of forms) {
      expect(await render(dan, content)).toContain('<a class=');
      // An administrator knows that it exists.
      expect(await render(iris, content)).toContain('<a class=');
      expect(await render(eve, content)).toBe(
        (await render(eve, content.replace('leads', 'none'))).replace('none', 'leads'),
      );
    }
  });

  test('shows its messages to its subscribers only', async () => {
    const { dan, eve, iris } = network;
    const [toIris, toEve] = [await iris.events(), await eve.events({ all_public_streams: true })];
    const { id } = await dan.call(sendMessage, { type: 'channel', to: 'leads', topic: 'plans', content: 'between us' });
    expect(await toIris.next('message')).toMatchObject({ message: { id } });
    await network.settle();
    expect((await toEve.rest()).filter(({ type }) => type === 'message')).toEqual([]);
    const secret = await eve.callRaw({ method: 'GET', path: `/api/v1/messages/${id}` });
    const absent = await eve.callRaw({ method: 'GET', path: '/api/v1/messages/999999' });
    expect(asIs(secret)).toEqual(asIs(absent));
    expect((await eve.call(getMessages, { message_ids: [id] })).messages).toEqual([]);
  });
});

test('answers to a signed-in user are not for caches', async () => {
  const { headers } = await network.dan.callRaw({ method: 'GET', path: '/api/v1/users/me' });
  expect(headers['cache-control']).toContain('no-store');
  expect(await network.dan.call(getOwnUser, {})).toMatchObject({ is_guest: false });
});

test('a key that was regenerated sends no more messages, after any number of sends', async () => {
  const { eve } = network;
  const message = { type: 'channel', to: 'general', topic: 'keys', content: 'x' } as const;
  await eve.call(sendMessage, message);
  await eve.call(sendMessage, message);
  const { api_key: apiKey } = await eve.call(regenerateApiKey, {});
  await eve.expectError('UNAUTHORIZED', sendMessage, message);
  await eve.expectError('UNAUTHORIZED', sendMessage, message);
  const { realmId, userId, email } = eve;
  await network.clientOf({ realmId, userId, email, apiKey }).call(sendMessage, message);
});
