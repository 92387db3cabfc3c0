import {
  addReaction,
  addSubmessage,
  createChannel,
  deleteMessage,
  deleteTopic,
  editMessage,
  removeReaction,
  sendMessage,
  unsubscribe,
  updateFlags,
  updateMutedTopics,
} from '@parley/gateway/endpoints';
import { type PublicEvent, type TestClient, TestNetwork } from '../../src';

let network: TestNetwork;
let everybody: TestClient[];
beforeAll(async () => {
  network = await TestNetwork.create();
  everybody = [network.dan, network.eve, network.iris];
});
afterAll(() => network.stop());

const TYPES = ['delete_message', 'reaction', 'submessage', 'update_message_flags'];
const BULK = { client_capabilities: { bulk_message_deletion: true, empty_topic_name: true } };
const listen = (client: TestClient, options = {}) => client.events({ event_types: TYPES, ...options });
const withoutIds = (events: PublicEvent[]) => events.map(({ id: _id, ...event }) => event);

async function newChannel(name: string, subscribers = everybody, settings = {}): Promise<number> {
  const ids = subscribers.map(({ userId }) => userId);
  const { id } = await network.iris.call(createChannel, { name, subscribers: ids, ...settings });
  return id;
}

async function send(client: TestClient, to: string, topic: string, content = 'Hello'): Promise<number> {
  return (await client.call(sendMessage, { type: 'channel', to, topic, content })).id;
}

async function sendDirect(client: TestClient, ...to: TestClient[]): Promise<number> {
  const ids = to.map(({ userId }) => userId);
  return (await client.call(sendMessage, { type: 'direct', to: ids, content: 'psst' })).id;
}

test('a reaction comes and goes with everything that clients show of it', async () => {
  const { dan, eve, iris } = network;
  await newChannel('den', [dan, eve, iris], { invite_only: true });
  const id = await send(dan, 'den', 'x');
  await iris.call(unsubscribe, { subscriptions: ['den'] });
  await network.settle();
  const [toDan, toIris] = [await listen(dan), await listen(iris)];
  await eve.call(addReaction, { message_id: id, emoji_name: 'tada' });
  await eve.call(removeReaction, { message_id: id, emoji_name: 'tada' });
  await network.settle();
  const reaction = {
    type: 'reaction',
    message_id: id,
    user_id: eve.userId,
    user: { user_id: eve.userId, email: expect.any(String), full_name: 'Eve Castillo' },
    emoji_name: 'tada',
    emoji_code: '1f389',
    reaction_type: 'unicode_emoji',
  };
  expect(withoutIds(await toDan.rest())).toEqual([
    { ...reaction, op: 'add' },
    { ...reaction, op: 'remove' },
  ]);
  expect(await toIris.rest()).toEqual([]);
});

test('a user who has left a public channel gets events about messages received there, and about no later ones', async () => {
  const { dan, eve } = network;
  const channelId = await newChannel('plaza', [dan, eve]);
  const poll = await send(dan, 'plaza', 'x', '/poll Lunch?\nsoup');
  await eve.call(unsubscribe, { subscriptions: ['plaza'] });
  const later = await send(dan, 'plaza', 'x');
  await network.settle();
  const toEve = await listen(eve, { event_types: [...TYPES, 'message', 'update_message'] });
  for (const id of [poll, later]) {
    await dan.call(addReaction, { message_id: id, emoji_name: 'tada' });
    await dan.call(editMessage, { message_id: id, topic: 'y' });
  }
  await dan.call(addSubmessage, {
    message_id: poll,
    msg_type: 'widget',
    content: '{"type":"new_option","idx":1,"option":"tea"}',
  });
  for (const id of [poll, later]) await dan.call(deleteMessage, { message_id: id });
  await network.settle();
  const events = await toEve.rest();
  expect(events.map(({ type, message_id: id }) => [type, id])).toEqual(
    ['reaction', 'update_message', 'submessage', 'delete_message'].map((type) => [type, poll]),
  );
  expect(events[3]).toMatchObject({ message_type: 'stream', stream_id: channelId });
});

test('operations on a widget reach all participants of the conversation in full', async () => {
  const { dan, eve, iris } = network;
  const content = '/poll Lunch?\nsoup';
  const { id } = await dan.call(sendMessage, { type: 'direct', to: [eve.userId], content });
  await network.settle();
  const [toDan, toIris] = [await listen(dan), await listen(iris)];
  const vote = '{"type":"vote","key":"canned,0","vote":1}';
  await eve.call(addSubmessage, { message_id: id, msg_type: 'widget', content: vote });
  await network.settle();
  expect(withoutIds(await toDan.rest())).toEqual([
    {
      type: 'submessage',
      msg_type: 'widget',
      message_id: id,
      submessage_id: expect.any(Number),
      sender_id: eve.userId,
      content: vote,
    },
  ]);
  expect(await toIris.rest()).toEqual([]);
});

describe('a deletion', () => {
  test('of a topic is one event for clients that take many ids, and one for each message for the others', async () => {
    const { dan, eve, iris } = network;
    const channelId = await newChannel('bin');
    const ids = [await send(dan, 'bin', ''), await send(eve, 'bin', ''), await send(dan, 'bin', '')];
    await send(dan, 'bin', 'stays');
    await network.settle();
    const [bulk, single] = [await listen(eve, BULK), await listen(eve)];
    await iris.call(deleteTopic, { stream_id: channelId, topic_name: '' });
    await network.settle();
    const gone = { type: 'delete_message', message_type: 'stream', stream_id: channelId };
    expect(withoutIds(await bulk.rest())).toEqual([{ ...gone, topic: '', message_ids: ids }]);
    const each = ids.map((message_id) => ({ ...gone, topic: 'general chat', message_id }));
    expect(withoutIds(await single.rest())).toEqual(each);
  });

  test('of a direct message reaches its participants, and names no channel', async () => {
    const { dan, eve, iris } = network;
    const id = await sendDirect(iris, dan);
    await network.settle();
    const queues = [await listen(dan), await listen(dan, BULK), await listen(iris), await listen(eve)];
    await iris.call(deleteMessage, { message_id: id });
    await network.settle();
    const gone = { type: 'delete_message', message_type: 'private' };
    const [one, many] = [
      { ...gone, message_id: id },
      { ...gone, message_ids: [id] },
    ];
    const received = await Promise.all(queues.map(async (queue) => withoutIds(await queue.rest())));
    expect(received).toEqual([[one], [many], [one], []]);
  });
});

test('messages that become unread again are announced with their conversation and mentions', async () => {
  const { dan, eve, iris } = network;
  const channelId = await newChannel('noise');
  await eve.call(updateMutedTopics, { stream: 'noise', topic: 'muted', op: 'add' });
  const ids = [
    await send(dan, 'noise', 'heard', '@**Eve Castillo**'),
    await send(dan, 'noise', 'heard', '@**all**'),
    await send(dan, 'noise', 'muted', '@**all**'),
    await sendDirect(dan, eve, iris),
  ];
  await eve.call(updateFlags, { messages: ids, op: 'add', flag: 'read' });
  await network.settle();
  const [toEve, toDan] = [await listen(eve), await listen(dan)];
  await eve.call(updateFlags, { messages: ids, op: 'remove', flag: 'read' });
  await network.settle();
  const place = { type: 'stream', stream_id: channelId };
  const [named, all, muted, direct] = ids as [number, number, number, number];
  expect(withoutIds(await toEve.rest())).toEqual([
    {
      type: 'update_message_flags',
      op: 'remove',
      operation: 'remove',
      flag: 'read',
      messages: ids,
      all: false,
      message_details: {
        [named]: { ...place, topic: 'heard', unmuted_stream_msg: true, mentioned: true },
        [all]: { ...place, topic: 'heard', unmuted_stream_msg: true, mentioned: true },
        [muted]: { ...place, topic: 'muted', unmuted_stream_msg: false },
        [direct]: { type: 'private', user_ids: [dan.userId, iris.userId].sort((a, b) => a - b) },
      },
    },
  ]);
  expect(await toDan.rest()).toEqual([]);
});
