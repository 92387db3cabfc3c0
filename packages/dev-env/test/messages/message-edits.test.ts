import {
  createChannel,
  deleteMessage,
  deleteTopic,
  editMessage,
  getMessage,
  getMessageHistory,
  getMessages,
  sendMessage,
} from '@parley/gateway/endpoints';
import { type PublicEvent, type TestClient, TestNetwork } from '../../src';

let network: TestNetwork;
beforeAll(async () => {
  network = await TestNetwork.create({ messagesReplicas: 2 });
});
afterAll(() => network.stop());

const TYPES = ['message', 'update_message', 'delete_message', 'stream'];
const withoutIds = (events: PublicEvent[]) => events.map(({ id: _id, ...event }) => event);

async function send(client: TestClient, to: string, topic: string, content = 'Hello'): Promise<number> {
  return (await client.call(sendMessage, { type: 'channel', to, topic, content })).id;
}

async function newChannel(name: string, subscribers: TestClient[], settings = {}): Promise<number> {
  const ids = subscribers.map(({ userId }) => userId);
  const { id } = await network.iris.call(createChannel, { name, subscribers: ids, ...settings });
  return id;
}

test('an edit reaches the others, with the earlier content, and its history can be read', async () => {
  const { dan, eve, iris } = network;
  const channelId = await newChannel('edits', [dan, eve, iris]);
  const id = await send(dan, 'edits', 'lunch', 'pizza');
  await network.settle();
  const toEve = await eve.events({ event_types: TYPES });
  expect(await dan.call(editMessage, { message_id: id, content: 'pasta' })).toMatchObject({ detached_uploads: [] });
  await network.settle();
  expect(withoutIds(await toEve.rest())).toEqual([
    {
      type: 'update_message',
      user_id: dan.userId,
      rendering_only: false,
      edit_timestamp: expect.any(Number),
      message_id: id,
      message_ids: [id],
      stream_id: channelId,
      stream_name: 'edits',
      orig_content: 'pizza',
      orig_rendered_content: '<p>pizza</p>',
      content: 'pasta',
      rendered_content: '<p>pasta</p>',
      is_me_message: false,
      flags: [],
    },
  ]);
  const { message } = await eve.call(getMessage, { message_id: id });
  expect(message).toMatchObject({
    content: '<p>pasta</p>',
    last_edit_timestamp: expect.any(Number),
    edit_history: [{ user_id: dan.userId, prev_content: 'pizza', prev_rendered_content: '<p>pizza</p>' }],
  });
  const { message_history: history } = await eve.call(getMessageHistory, { message_id: id });
  expect(history.map(({ content }) => content)).toEqual(['pizza', 'pasta']);
});

test('a move to a private channel takes the message from users outside it', async () => {
  const { dan, eve, iris } = network;
  const [from, to] = [
    await newChannel('open desk', [dan, eve, iris]),
    await newChannel('back office', [dan, iris], { invite_only: true }),
  ];
  const id = await send(dan, 'open desk', 'budget');
  await network.settle();
  const [toDan, toEve] = [await dan.events({ event_types: TYPES }), await eve.events({ event_types: TYPES })];
  const bulkOfEve = await eve.events({ event_types: TYPES, client_capabilities: { bulk_message_deletion: true } });
  await iris.call(editMessage, { message_id: id, stream_id: to, send_notification_to_new_thread: false });
  await network.settle();
  const emptied = {
    ...{ type: 'stream', op: 'update', property: 'first_message_id', value: null },
    ...{ stream_id: from, name: 'open desk' },
  };
  expect(withoutIds(await toDan.rest())).toMatchObject([
    {
      type: 'update_message',
      stream_id: from,
      new_stream_id: to,
      orig_subject: 'budget',
      propagate_mode: 'change_one',
    },
    emptied,
    { ...emptied, stream_id: to, name: 'back office', value: id },
  ]);
  const gone = { type: 'delete_message', message_type: 'stream', stream_id: from, topic: 'budget' };
  expect(withoutIds(await toEve.rest())).toEqual([{ ...gone, message_id: id }, emptied]);
  expect(withoutIds(await bulkOfEve.rest())).toEqual([{ ...gone, message_ids: [id] }, emptied]);
  await expect(eve.call(getMessage, { message_id: id })).rejects.toThrow('Invalid message(s)');
});

test('clients that take one id at a time get an event for each of many messages that they lose', async () => {
  const { dan, eve, iris } = network;
  await newChannel('open office', [dan, eve, iris]);
  const to = await newChannel('closed office', [dan, iris], { invite_only: true });
  const ids = await Promise.all(Array.from({ length: 110 }, () => send(dan, 'open office', 'budget')));
  await network.settle();
  const [toEve, bulkOfEve] = [
    await eve.events({ event_types: ['delete_message'] }),
    await eve.events({ event_types: ['delete_message'], client_capabilities: { bulk_message_deletion: true } }),
  ];
  const change = { stream_id: to, propagate_mode: 'change_all', send_notification_to_new_thread: false };
  await iris.call(editMessage, { message_id: ids[0] as number, ...change });
  await network.settle();
  const ascending = ids.toSorted((a, b) => a - b);
  expect((await toEve.rest()).map(({ message_id: id }) => id)).toEqual(ascending);
  expect((await bulkOfEve.rest()).map((event) => event['message_ids'])).toEqual([ascending]);
});

test('many concurrent moves of a topic all succeed', async () => {
  const { dan } = network;
  await newChannel('busy', [dan]);
  const ids = [await send(dan, 'busy', 'plans'), await send(dan, 'busy', 'plans')];
  const names = Array.from({ length: 20 }, (_, index) => `plans ${index}`);
  const move = (topic: string) =>
    dan.call(editMessage, {
      message_id: ids[0] as number,
      topic,
      propagate_mode: 'change_all',
      send_notification_to_new_thread: false,
    });
  await Promise.all(names.map(move));
  const topics = await Promise.all(
    ids.map(async (id) => (await dan.call(getMessage, { message_id: id })).message.subject),
  );
  expect(names).toContain(topics[0]);
  expect(topics[1]).toBe(topics[0]);
  const { message_history: history } = await dan.call(getMessageHistory, { message_id: ids[0] as number });
  expect(history.map(({ topic }) => topic).sort()).toEqual(['plans', ...names].sort());
});

test('the notification bot announces that a topic was resolved', async () => {
  const { dan, eve, iris } = network;
  await newChannel('questions', [dan, eve, iris]);
  const id = await send(dan, 'questions', 'why');
  const change = { topic: '✔ why', propagate_mode: 'change_all' };
  await eve.call(editMessage, { message_id: id, ...change });
  const narrow = [
    { operator: 'channel', operand: 'questions' },
    { operator: 'topic', operand: '✔ why' },
  ];
  const query = { anchor: 'newest', num_before: 10, num_after: 0, narrow, apply_markdown: false };
  const { messages } = await dan.call(getMessages, query);
  expect(messages.map(({ content }) => content)).toEqual([
    'Hello',
    expect.stringContaining('has marked this topic as resolved.'),
  ]);
});

test('a deletion reaches the others, with the channel’s new first message', async () => {
  const { dan, eve, iris } = network;
  const channelId = await newChannel('shredder', [dan, eve, iris]);
  const [first, second] = [await send(dan, 'shredder', 'a'), await send(dan, 'shredder', 'b')];
  await network.settle();
  const toEve = await eve.events({ event_types: TYPES });
  await dan.call(deleteMessage, { message_id: first });
  await network.settle();
  expect(withoutIds(await toEve.rest())).toMatchObject([
    { type: 'delete_message', message_id: first, stream_id: channelId, topic: 'a' },
    { type: 'stream', op: 'update', property: 'first_message_id', value: second, stream_id: channelId },
  ]);
  const [change, topic] = [{ message_id: first }, { stream_id: channelId, topic_name: 'b' }];
  await expect(dan.call(deleteMessage, change)).rejects.toThrow('Invalid message(s)');
  await expect(dan.call(deleteTopic, topic)).rejects.toThrow('Must be an organization administrator');
  expect(await iris.call(deleteTopic, topic)).toMatchObject({ complete: true });
  await expect(eve.call(getMessage, { message_id: second })).rejects.toThrow('Invalid message(s)');
});
