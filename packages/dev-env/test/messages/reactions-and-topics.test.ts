import {
  addReaction,
  addSubmessage,
  editMessage,
  getMessages,
  registerQueue,
  removeReaction,
  sendMessage,
  subscribe,
  updateMutedTopics,
  updateUserTopic,
} from '@parley/gateway/endpoints';
import { TestNetwork } from '../../src';

let network: TestNetwork;
beforeAll(async () => {
  network = await TestNetwork.create();
});
afterAll(() => network.stop());

type Event = { type: string; op?: string } & Record<string, unknown>;

test('reactions and votes reach the message’s holders, and are part of it for its readers', async () => {
  const { dan, eve } = network;
  await dan.call(subscribe, { subscriptions: [{ name: 'kitchen' }], principals: [dan.userId, eve.userId] });
  const message = { type: 'channel', to: 'kitchen', topic: 'lunch', content: '/poll Lunch?\nsoup' } as const;
  const { id } = await dan.call(sendMessage, message);
  const queue = await dan.events();
  await eve.call(addReaction, { message_id: id, emoji_name: 'smile' });
  const vote = '{"type":"vote","key":"canned,0","vote":1}';
  await eve.call(addSubmessage, { message_id: id, msg_type: 'widget', content: vote });
  await network.settle();
  const about = { message_id: id, user_id: eve.userId, emoji_name: 'smile', reaction_type: 'unicode_emoji' };
  const events = (await queue.rest()) as Event[];
  expect(events.filter(({ type }) => type === 'reaction' || type === 'submessage')).toMatchObject([
    { type: 'reaction', op: 'add', ...about, user: { user_id: eve.userId } },
    { type: 'submessage', message_id: id, sender_id: eve.userId, msg_type: 'widget', content: vote },
  ]);

  const narrow = [{ operator: 'channel', operand: 'kitchen' }];
  const read = await eve.call(getMessages, { anchor: String(id), num_before: 0, num_after: 0, narrow });
  expect(read.messages[0]).toMatchObject({
    reactions: [{ user_id: eve.userId, emoji_name: 'smile', reaction_type: 'unicode_emoji' }],
    submessages: [{ sender_id: dan.userId }, { sender_id: eve.userId, content: vote }],
  });
  await dan.expectError('REACTION_DOES_NOT_EXIST', removeReaction, { message_id: id, emoji_name: 'smile' });
  await eve.expectError('REACTION_ALREADY_EXISTS', addReaction, { message_id: id, emoji_name: 'smile' });
});

test('topic policies are in the initial state and in later events', async () => {
  const { dan } = network;
  await dan.call(subscribe, { subscriptions: [{ name: 'hall' }] });
  const register = async (event_types: string[]) => dan.call(registerQueue, { event_types });
  const queue = await dan.events();
  const sent = await dan.call(sendMessage, { type: 'channel', to: 'hall', topic: 'News', content: 'hi' });
  expect(sent.automatic_new_visibility_policy).toBe(3);
  await dan.call(updateMutedTopics, { stream: 'hall', topic: 'noise', op: 'add' });
  await network.settle();
  const events = ((await queue.rest()) as Event[]).filter(
    ({ type }) => type.endsWith('topics') || type === 'user_topic',
  );
  expect(events).toMatchObject([
    { type: 'user_topic', topic_name: 'News', visibility_policy: 3 },
    { type: 'user_topic', topic_name: 'noise', visibility_policy: 1 },
    { type: 'muted_topics', muted_topics: [['hall', 'noise', expect.any(Number)]] },
  ]);
  const { user_topics: topics = [] } = await register(['user_topic']);
  const inHall = topics.filter(({ topic_name }) => ['News', 'noise'].includes(topic_name));
  expect(inHall.map(({ visibility_policy }) => visibility_policy)).toEqual([3, 1]);
  const [news] = inHall;
  const channel = { stream_id: news?.stream_id as number, topic: 'noise' };
  await dan.call(updateUserTopic, { ...channel, visibility_policy: 0 });
  expect((await register(['muted_topics'])).muted_topics).toEqual([]);
});

test('clients that know muted topics only get them also when a moved topic keeps its policy', async () => {
  const { dan } = network;
  await dan.call(subscribe, { subscriptions: [{ name: 'corridor' }] });
  const { id } = await dan.call(sendMessage, { type: 'channel', to: 'corridor', topic: 'loud', content: 'hi' });
  await dan.call(updateMutedTopics, { stream: 'corridor', topic: 'loud', op: 'add' });
  await network.settle();
  const queue = await dan.events({ event_types: ['muted_topics'] });
  await dan.call(editMessage, { message_id: id, topic: 'quiet', propagate_mode: 'change_all' });
  await network.settle();
  expect(await queue.rest()).toMatchObject([
    { type: 'muted_topics', muted_topics: [['corridor', 'quiet', expect.any(Number)]] },
  ]);
});
