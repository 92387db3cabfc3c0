import { VISITOR_ID } from '@parley/shared/values';
import { startGateway, type TestGateway } from './gateway';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

const ask = (path: string) => gateway.request({ method: 'GET', path: `/api/v1${path}`, as: false });
const narrowed = (...narrow: unknown[]) =>
  `/messages?anchor=newest&narrow=${encodeURIComponent(JSON.stringify(narrow))}`;
const webPublic = ['channels', 'web-public'];
const refusal = { code: 'UNAUTHORIZED', msg: 'Not logged in: API authentication or user session required' };

test('who is not signed in is not let in where visitors are not admitted', async () => {
  const paths = [narrowed(webPublic), '/messages/501', '/users/me/7/topics'];
  for (const answer of await Promise.all(paths.map(ask))) expect(answer).toMatchObject({ status: 401, json: refusal });
});

describe('where visitors are admitted, who is not signed in', () => {
  beforeAll(() => {
    gateway.realm.answers.admitVisitor = async () => ({ realmId: 2 });
    gateway.messages.answers.listTopics = async () => ({ topics: [] });
  });

  test('reads web-public channels as nobody in particular', async () => {
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

  test('does nothing else', async () => {
    expect(await ask('/users/me')).toMatchObject({ status: 401, json: refusal });
  });
});
