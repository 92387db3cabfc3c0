import {
  addAlertWords,
  deleteMessage,
  getMessage,
  getReadReceipts,
  markAllAsRead,
  markChannelAsRead,
  markTopicAsRead,
  muteUser,
  registerQueue,
  sendMessage,
  subscribe,
  unmuteUser,
  unsubscribe,
  updateFlags,
  updateFlagsInNarrow,
  updateRealm,
} from '@parley/gateway/endpoints';
import { TestNetwork } from '../../src';

let network: TestNetwork;
beforeAll(async () => {
  network = await TestNetwork.create();
});
afterAll(() => network.stop());

type Unread = { count: number; streams: { topic: string; unread_message_ids: number[] }[]; mentions: number[] };

async function unreadOf(person: TestNetwork['dan']): Promise<Unread> {
  const types = ['message', 'update_message_flags'];
  const { unread_msgs: unread } = await person.call(registerQueue, { fetch_event_types: types });
  return unread as unknown as Unread;
}

const flagsOf = async (person: TestNetwork['dan'], messageId: number) =>
  (await person.call(getMessage, { message_id: messageId })).message.flags;

async function channelOf(...people: TestNetwork['dan'][]): Promise<{ name: string; id: number }> {
  const name = `read state ${Math.random()}`;
  for (const person of people) await person.call(subscribe, { subscriptions: [{ name }] });
  const { id } = await (people[0] as TestNetwork['dan']).call(sendMessage, {
    type: 'channel',
    to: name,
    topic: 'first',
    content: 'x',
  });
  const { message } = await (people[0] as TestNetwork['dan']).call(getMessage, { message_id: id });
  return { name, id: message.stream_id as number };
}

test('marks of one device reach the others, and are in the state of a new one', async () => {
  const { dan, eve } = network;
  const channel = await channelOf(eve, dan);
  await dan.call(markAllAsRead, {});
  const queue = await dan.events({ event_types: ['update_message_flags'] });
  const post = (topic: string, content: string) =>
    eve.call(sendMessage, { type: 'channel', to: channel.name, topic, content }).then(({ id }) => id);
  const [first, second, third] = [await post('a', 'one'), await post('a', 'two'), await post('b', 'three')];
  expect(await unreadOf(dan)).toMatchObject({
    count: 3,
    streams: [
      { stream_id: channel.id, topic: 'a', unread_message_ids: [first, second] },
      { stream_id: channel.id, topic: 'b', unread_message_ids: [third] },
    ],
  });

  const answer = await dan.call(updateFlags, { messages: [first], op: 'add', flag: 'read' });
  expect(answer.messages).toEqual([first]);
  expect(await queue.next('update_message_flags')).toMatchObject({ op: 'add', flag: 'read', messages: [first] });
  await dan.call(updateFlags, { messages: [first], op: 'remove', flag: 'read' });
  expect(await queue.next('update_message_flags')).toMatchObject({
    op: 'remove',
    messages: [first],
    message_details: { [first]: { type: 'stream', stream_id: channel.id, topic: 'a' } },
  });

  await dan.call(markTopicAsRead, { stream_id: channel.id, topic_name: 'A' });
  expect(await queue.next('update_message_flags')).toMatchObject({ messages: [first, second], all: false });
  await dan.call(markChannelAsRead, { stream_id: channel.id });
  expect(await queue.next('update_message_flags')).toMatchObject({ messages: [third] });
  await dan.call(markAllAsRead, {});
  expect(await queue.next('update_message_flags')).toMatchObject({ messages: [], all: true });
  expect((await unreadOf(dan)).count).toBe(0);

  const narrow = [{ operator: 'channel', operand: channel.id }];
  const around = { anchor: 'newest', num_before: 2, num_after: 0, narrow, op: 'remove', flag: 'read' };
  expect(await dan.call(updateFlagsInNarrow, around)).toMatchObject({
    processed_count: 2,
    updated_count: 2,
    first_processed_id: second,
    last_processed_id: third,
  });
  expect((await unreadOf(dan)).count).toBe(2);
});

test('messages marked as unread are read for a user who leaves, and stay so', async () => {
  const { dan, eve } = network;
  const channel = await channelOf(eve, dan);
  const { id } = await eve.call(sendMessage, { type: 'channel', to: channel.name, topic: 'a', content: 'one' });
  await dan.call(updateFlags, { messages: [id], op: 'add', flag: 'read' });
  await dan.call(updateFlags, { messages: [id], op: 'remove', flag: 'read' });
  expect(await flagsOf(dan, id)).toEqual([]);
  await dan.call(unsubscribe, { subscriptions: [channel.name] });
  expect(await flagsOf(dan, id)).toEqual(['read']);
  await network.settle();
  await dan.call(subscribe, { subscriptions: [{ name: channel.name }] });
  expect(await flagsOf(dan, id)).toEqual(['read']);
});

test('messages of a muted user are read, also after the mute ends', async () => {
  const { dan, eve } = network;
  const channel = await channelOf(eve, dan);
  await dan.call(muteUser, { muted_user_id: eve.userId });
  const { id } = await eve.call(sendMessage, { type: 'channel', to: channel.name, topic: 'a', content: 'psst' });
  expect(await flagsOf(dan, id)).toEqual(['read']);
  await dan.call(unmuteUser, { muted_user_id: eve.userId });
  await network.settle();
  expect(await flagsOf(dan, id)).toEqual(['read']);
});

test('alert words and read receipts', async () => {
  const { dan, eve, iris } = network;
  const channel = await channelOf(eve, dan);
  await dan.call(addAlertWords, { alert_words: ['Lunch'] });
  const { id } = await eve.call(sendMessage, { type: 'channel', to: channel.name, topic: 'a', content: 'lunch?' });
  expect(await flagsOf(dan, id)).toEqual(['has_alert_word']);

  await iris.call(updateRealm, { enable_read_receipts: true });
  expect((await eve.call(getReadReceipts, { message_id: id })).user_ids).toEqual([]);
  await dan.call(updateFlags, { messages: [id], op: 'add', flag: 'read' });
  expect((await eve.call(getReadReceipts, { message_id: id })).user_ids).toEqual([dan.userId]);
});

test('a star that races the deletion of its message leaves nothing', async () => {
  const { dan, eve } = network;
  const channel = await channelOf(eve, dan);
  const queue = await dan.events({ event_types: ['update_message_flags', 'delete_message'] });
  for (let attempt = 0; attempt < 40; attempt += 1) {
    const toDelete = { type: 'channel', to: channel.name, topic: 'raced', content: `${attempt}` } as const;
    const { id } = await eve.call(sendMessage, toDelete);
    const starring = dan.call(updateFlags, { messages: [id], op: 'add', flag: 'starred' }).then(
      ({ messages }) => messages,
      () => [],
    );
    await Promise.all([starring, eve.call(deleteMessage, { message_id: id })]);
    expect([[], [id]]).toContainEqual(await starring);
  }
  const { starred_messages: starred } = await dan.call(registerQueue, { fetch_event_types: ['starred_messages'] });
  expect(starred).toEqual([]);
  // Nor is there an event of a star after its message was deleted.
  await network.settle();
  const deleted = new Set<unknown>();
  for (const event of (await queue.rest()) as { type: string; message_id?: number; messages?: number[] }[]) {
    if (event.type === 'delete_message') deleted.add(event.message_id);
    else expect((event.messages ?? []).filter((id) => deleted.has(id))).toEqual([]);
  }
  expect(deleted.size).toBe(40);
});
