import { registerQueue, updateMutedTopics, updateUserTopic } from '../../src/endpoints';
import { formBody, startGateway, type TestGateway } from '../gateway';

const SUCCESS = { result: 'success', msg: '' };

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
  gateway.messages.answers.setTopicPolicy = async () => ({});
});
afterAll(() => gateway.stop());

const asked = () => gateway.messages.last('setTopicPolicy');
const send = (method: 'POST' | 'PATCH', path: string, form: Record<string, string>) =>
  gateway.request({ method, path: `/api/v1${path}`, ...formBody(form) });

describe('POST /user_topics', () => {
  test('hands on the decision', async () => {
    const answer = await gateway.call(updateUserTopic, { stream_id: 7, topic: 'lunch', visibility_policy: 3 });
    expect(answer.json).toEqual(SUCCESS);
    expect(asked()).toEqual({ channelId: 7, topic: 'lunch', policy: 3 });
  });

  test.each([
    [{ topic: ` ${'x'.repeat(60)}  ` }, 'x'.repeat(60)],
    [{ subject: 'lunch' }, 'lunch'],
  ])('takes the topic without surrounding blanks, also by its former name: %j', async (form, topic) => {
    const all: Record<string, string> = { stream_id: '7', visibility_policy: '1', ...form };
    expect((await send('POST', '/user_topics', all)).json).toEqual(SUCCESS);
    expect(asked()).toMatchObject({ topic });
  });

  test.each([
    [{ visibility_policy: '4' }, 'Invalid visibility_policy: Value error, Not in the list of possible values'],
    [{ visibility_policy: 'x' }, 'visibility_policy is not valid JSON'],
    [{ topic: 'x'.repeat(61) }, 'topic is too long (limit: 60 characters)'],
    [{ stream_id: '"a"' }, 'stream_id is not an integer'],
  ])('refuses %j', async (form, msg) => {
    const all = { stream_id: '7', topic: 'lunch', visibility_policy: '1', ...form };
    expect(await send('POST', '/user_topics', all)).toMatchObject({ status: 400, json: { msg } });
  });
});

describe('PATCH /users/me/subscriptions/muted_topics', () => {
  test('mutes and unmutes, by the channel’s id or name', async () => {
    await gateway.call(updateMutedTopics, { stream_id: 7, topic: 'lunch', op: 'add' });
    expect(asked()).toEqual({ channelId: 7, topic: 'lunch', policy: 1 });
    await gateway.call(updateMutedTopics, { stream: 'social', topic: 'lunch', op: 'remove' });
    expect(asked()).toEqual({ channelName: 'social', topic: 'lunch', policy: 0 });
  });

  test.each([
    [{ stream: 'social', stream_id: '7' }, "Please choose one: 'stream' or 'stream_id'."],
    [{}, "Please supply 'stream'."],
    [{ stream_id: '7', op: 'toggle' }, 'Invalid op'],
  ])('refuses %j', async (form, msg) => {
    const answer = await send('PATCH', '/users/me/subscriptions/muted_topics', { topic: 'lunch', op: 'add', ...form });
    expect(answer).toMatchObject({ status: 400, json: { msg } });
  });
});

describe('POST /register', () => {
  const muted = { channelId: 7, channelName: 'social', topic: '', policy: 1, updatedAtMs: 1_700_000_000_000 };
  const followed = { ...muted, topic: 'lunch', policy: 3 };
  const state = async (...types: string[]) => {
    gateway.messages.answers.listTopicPolicies = async () => ({ topicPolicies: [muted, followed] });
    const { json } = await gateway.call(registerQueue, types.length > 0 ? { event_types: types } : {});
    const { user_topics, muted_topics } = json as Record<string, unknown>;
    return { user_topics, muted_topics };
  };
  const shown = { stream_id: 7, last_updated: 1_700_000_000 };
  const userTopics = [
    { ...shown, topic_name: 'general chat', visibility_policy: 1 },
    { ...shown, topic_name: 'lunch', visibility_policy: 3 },
  ];
  const mutedTopics = [['social', 'general chat', 1_700_000_000]];

  test('lists topic policies, and to clients that do not request them muted topics only', async () => {
    expect(await state('user_topic')).toEqual({ user_topics: userTopics });
    expect(await state('user_topic', 'muted_topics')).toEqual({ user_topics: userTopics });
    expect(await state('muted_topics')).toEqual({ muted_topics: mutedTopics });
    expect(await state()).toEqual({ user_topics: userTopics, muted_topics: mutedTopics });
    expect(await state('message')).toEqual({});
  });
});
