import { VISITOR_ID } from '@parley/shared/values';
import { eg } from '../eg';
import { formBody, startGateway, type TestGateway } from '../gateway';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

const ask = (path: string) => gateway.request({ method: 'GET', path: `/api/v1${path}`, as: false });
const register = (form: Record<string, string>) =>
  gateway.request({ method: 'POST', path: '/api/v1/register', as: false, ...formBody(form) });
const narrowed = (...narrow: unknown[]) =>
  `/messages?anchor=newest&narrow=${encodeURIComponent(JSON.stringify(narrow))}`;
const webPublic = ['channels', 'web-public'];
const refusal = { code: 'UNAUTHORIZED', msg: 'Not logged in: API authentication or user session required' };

test('a visitor is refused where the organization admits none', async () => {
  const paths = [narrowed(webPublic), '/messages/501', '/users/me/7/topics'];
  const answers = await Promise.all([...paths.map(ask), register({})]);
  for (const answer of answers) expect(answer).toMatchObject({ status: 401, json: refusal });
});

describe('a visitor, where admitted,', () => {
  beforeAll(() => {
    gateway.realm.answers.admitVisitor = async () => ({ realmId: 2 });
    gateway.messages.answers.listTopics = async () => ({ topics: [] });
  });

  test('reads web-public channels without an account', async () => {
    const answers = [narrowed(webPublic, ['topic', 'tea']), '/messages/501', '/users/me/7/topics'].map(ask);
    for (const { status } of await Promise.all(answers)) expect(status).toBe(200);
    const calls = gateway.messages.seen.map(({ call }) => call);
    for (const call of calls) expect(call).toMatchObject({ realmId: 2, userId: VISITOR_ID });
  });

  test.each([
    ['everything', []],
    ['a channel by itself', [['channel', 'Web']]],
    ['all but web-public channels', [{ operator: 'channels', operand: 'web-public', negated: true }]],
    ['what depends on who reads', [webPublic, ['is', 'starred']]],
  ])('does not get %s', async (_, narrow) => {
    expect(await ask(narrowed(...narrow))).toMatchObject({ status: 401, json: refusal });
  });

  test('makes no changes', async () => {
    expect(await ask('/users/me')).toMatchObject({ status: 401, json: refusal });
  });

  test('registers without a queue, and without data of any account', async () => {
    const visitor = eg.user({ id: VISITOR_ID, role: 600, email: 'user0@hidden.invalid', deliveryEmail: '' });
    gateway.realm.answers.getRegisterState = async () => eg.registerState({ ownUser: visitor });
    const { json } = await register({});
    expect(json).toMatchObject({
      queue_id: null,
      realm_presence_disabled: true,
      realm_allow_message_editing: false,
      ...{ is_guest: true, user_id: VISITOR_ID, delivery_email: '' },
      ...{
        presences: {},
        drafts: [],
        user_topics: [],
        scheduled_messages: [],
        reminders: [],
        onboarding_steps: [],
        starred_messages: [],
      },
      ...{ max_message_id: -1, recent_private_conversations: [], unread_msgs: { count: 0, streams: [] } },
    });
    expect(json).not.toHaveProperty('last_event_id');
    expect(json.realm_users[0]).toMatchObject({ delivery_email: null, date_joined: expect.stringMatching(/^.{10}$/) });
    const methods = [gateway.events, gateway.messages].flatMap(({ seen }) => seen.map(({ method }) => method));
    for (const method of ['getQueueBeginning', 'createQueue', 'getClientState']) {
      expect(methods).not.toContain(method);
    }
  });

  test('does not delay signed-in users, and is refused while too many other visitors register', async () => {
    let answer = () => {};
    const isAnswered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    gateway.realm.answers.getRegisterState = async () => {
      await isAnswered;
      return eg.registerState({ ownUser: eg.user({ id: VISITOR_ID, role: 600 }) });
    };
    const visitors = Array.from({ length: 6 }, () => register({}));
    expect(await Promise.race(visitors)).toMatchObject({ status: 503, json: { code: 'SERVER_NOT_READY' } });
    const member = gateway.request({
      ...{ method: 'POST', path: '/api/v1/register' },
      ...formBody({ fetch_event_types: '[]' }),
    });
    expect((await member).status).toBe(200);
    answer();
    const statuses = (await Promise.all(visitors)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 200, 200, 200, 200, 503]);
  });

  test('registers for the requested parts', async () => {
    const names = Object.keys((await register({ fetch_event_types: '["muted_users","message"]' })).json);
    expect(names.filter((name) => !name.startsWith('service_')).sort()).toEqual(
      ['result', 'msg', 'queue_id', 'muted_users', 'max_message_id'].sort(),
    );
  });

  test.each([
    ['client_gravatar', 'true'],
    ['include_subscribers', 'true'],
    ['include_subscribers', 'partial'],
  ])('may not set %s to %s', async (name, value) => {
    const msg = `Invalid '${name}' parameter for anonymous request`;
    expect(await register({ [name]: value })).toMatchObject({ status: 400, json: { code: 'BAD_REQUEST', msg } });
  });
});
