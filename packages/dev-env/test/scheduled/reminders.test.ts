import {
  createChannel,
  createReminder,
  deactivateUser,
  deleteMessage,
  deleteReminder,
  findChannel,
  getReminders,
  getScheduledMessages,
  registerQueue,
  sendMessage,
  unsubscribe,
} from '@parley/gateway/endpoints';
import { createFakeClock } from '@parley/shared/testing';
import { type EventQueue, eg, type TestClient, TestNetwork } from '../../src';

const clock = createFakeClock();
let network: TestNetwork;
let generalId: number;

beforeAll(async () => {
  network = await TestNetwork.create({ clock, replicas: { scheduler: 2 } });
  // A gateway that was up before the events pods tries to reach them again by this clock.
  clock.advance(5_000);
  generalId = (await network.dan.call(findChannel, { stream: eg.general })).stream_id;
});
afterAll(() => network.stop());

const inSeconds = (seconds: number) => Math.floor(clock.now() / 1_000) + seconds;

async function say(client: TestClient, content = 'Soup?'): Promise<number> {
  return (await client.call(sendMessage, { type: 'channel', to: generalId, topic: 'lunch', content })).id;
}

async function remind(client: TestClient, messageId: number, note?: string): Promise<number> {
  const input = {
    message_id: messageId,
    scheduled_delivery_timestamp: inSeconds(60),
    ...(note !== undefined && { note }),
  };
  return (await client.call(createReminder, input)).reminder_id;
}

const remindersOf = async (client: TestClient) => (await client.call(getReminders, {})).reminders;
const follow = (client: TestClient): Promise<EventQueue> => client.events({ event_types: ['reminders', 'message'] });

test('a reminder is kept, and sent by the notification bot when its time has come', async () => {
  const { dan, eve } = network;
  const messageId = await say(eve);
  const [queue, elsewhere] = [await follow(dan), await follow(eve)];
  const id = await remind(dan, messageId, '\n\nAsk *again*  \n');
  const content = [
    `You requested a reminder for #**general>lunch@${messageId}**. Note:`,
    '> Ask *again*',
    '',
    `@_**Eve Castillo|${eve.userId}** [said](/#narrow/channel/${generalId}-general/topic/lunch/near/${messageId}):`,
    '````quote',
    'Soup?',
    '````',
  ].join('\n');
  const [kept] = await remindersOf(dan);
  expect(kept).toEqual({
    reminder_id: id,
    type: 'private',
    to: [dan.userId],
    content,
    rendered_content: expect.stringContaining('<blockquote>\n<p>Soup?</p>\n</blockquote>'),
    scheduled_delivery_timestamp: inSeconds(60),
    failed: false,
    reminder_target_message_id: messageId,
  });
  expect(kept?.rendered_content).toContain(
    `href="/#narrow/channel/${generalId}-general/topic/lunch/near/${messageId}"`,
  );
  expect(kept?.rendered_content).toContain(`<span class="user-mention silent" data-user-id="${eve.userId}">`);
  expect((await dan.call(registerQueue, { fetch_event_types: ['reminders'] })).reminders).toEqual([kept]);
  expect(await dan.call(getScheduledMessages, {})).toMatchObject({ scheduled_messages: [] });
  expect(await queue.next('reminders')).toMatchObject({ op: 'add', reminders: [kept] });

  clock.advance(60_000);
  expect(await queue.next('message')).toMatchObject({
    flags: [],
    message: { content, type: 'private', sender_full_name: 'Notification Bot' },
  });
  expect(await queue.next('reminders')).toMatchObject({ op: 'remove', reminder_id: id });
  expect(await remindersOf(dan)).toEqual([]);
  clock.advance(60_000);
  await network.settle();
  expect(await queue.rest()).toEqual([]);
  expect(await elsewhere.rest()).toEqual([]);
});

test('a reminder that was deleted is not sent', async () => {
  const { dan, eve } = network;
  const messageId = await say(eve);
  const queue = await follow(dan);
  const [first, second] = [await remind(dan, messageId), await remind(dan, messageId)];
  await dan.call(deleteReminder, { reminder_id: first });
  await queue.take('reminders', 3);
  clock.advance(60_000);
  expect(await queue.next('reminders')).toMatchObject({ op: 'remove', reminder_id: second });
  await network.settle();
  expect(await queue.rest()).toMatchObject([{ type: 'message' }]);
});

test('a reminder of a direct message that was deleted comes all the same', async () => {
  const { dan, eve, iris } = network;
  const { id } = await eve.call(sendMessage, { type: 'direct', to: [dan.userId], content: '/poll Soup?' });
  await remind(dan, id);
  const queue = await follow(dan);
  await iris.callRaw({ method: deleteMessage.method, path: `/api/v1/messages/${id}` });
  clock.advance(60_000);
  const { message } = (await queue.next('message')) as unknown as { message: { content: string } };
  expect(message.content.split('\n')).toEqual([
    'You requested a reminder for the following direct message.',
    '',
    expect.stringMatching(/^@_\*\*Eve Castillo\|\d+\*\* \[sent\]\(\/#narrow\/dm\/\d+,\d+-dm\/near\/\d+\) a poll\.$/),
  ]);
});

test('a reminder of an unreadable message is refused', async () => {
  const { dan, eve, iris } = network;
  const messageId = await say(eve);
  const { id: foreignId } = await eve.call(sendMessage, { type: 'direct', to: [iris.userId], content: 'x' });
  const msgOf = async (over: object) => {
    const input = { message_id: messageId, scheduled_delivery_timestamp: inSeconds(9), ...over };
    return (await dan.expectError('BAD_REQUEST', createReminder, input))['msg'];
  };
  expect(await msgOf({ message_id: foreignId })).toBe('Invalid message(s)');
  expect(await msgOf({ message_id: 99_999 })).toBe('Invalid message(s)');
  expect(await msgOf({ scheduled_delivery_timestamp: inSeconds(0) })).toBe(
    'Scheduled delivery time must be in the future.',
  );
  expect(await msgOf({ note: 'n'.repeat(1_001) })).toBe('Maximum reminder note length: 1000 characters');
  const id = await remind(eve, messageId);
  expect(await dan.expectError('BAD_REQUEST', deleteReminder, { reminder_id: id })).toMatchObject({
    msg: 'Reminder does not exist',
  });
  expect((await dan.callRaw({ method: 'DELETE', path: `/api/v1/reminders/${id}` })).status).toBe(404);
  await eve.call(deleteReminder, { reminder_id: id });
});

test('a deactivated user gets no reminders', async () => {
  const { faye, iris } = network;
  await remind(faye, await say(faye));
  await iris.call(deactivateUser, { user_id: faye.userId });
  clock.advance(60_000);
  const isFailed = async () => {
    const sql = 'select failure_message is not null as failed from reminder where user_id = $1';
    const [row] = await network.database('scheduler').query<{ failed: boolean }>(sql, [faye.userId]);
    return row?.failed;
  };
  while (!(await isFailed()));
});

test('a reminder of a message that is no longer readable shows nothing of it, when it is sent and in the list', async () => {
  const { dan, eve } = network;
  const channel = { name: 'hidden plans', subscribers: [dan.userId, eve.userId], invite_only: true };
  const { id: channelId } = await dan.call(createChannel, channel);
  const sent = { type: 'channel' as const, to: channelId, topic: 'wolpertinger', content: 'a **secret**' };
  const { id } = await dan.call(sendMessage, sent);
  const { id: deletedId } = await dan.call(sendMessage, sent);
  for (const messageId of [id, deletedId]) await remind(eve, messageId, 'Ask *again*\n\nand again');
  await remind(eve, id);
  await remind(dan, id);
  await network.iris.callRaw({ method: deleteMessage.method, path: `/api/v1/messages/${deletedId}` });
  const isShown = async () => (await remindersOf(eve)).map(({ content }) => content.includes('secret'));
  expect(await isShown()).toEqual([true, true, true]);
  await eve.call(unsubscribe, { subscriptions: [channel.name] });

  const sentence = 'You requested a reminder for a message that you may not read any more.';
  const noted = `${sentence} Note:\n> Ask *again*\n> \n> and again`;
  const rendered = `<p>${sentence} Note:</p>\n<blockquote>\n<p>Ask <em>again</em></p>\n<p>and again</p>\n</blockquote>`;
  const listed = await remindersOf(eve);
  expect(listed.map(({ content }) => content)).toEqual([noted, noted, sentence]);
  expect(listed[0]?.rendered_content).toBe(rendered);
  expect(listed.map((reminder) => reminder.reminder_target_message_id)).toEqual([id, deletedId, id]);
  expect((await eve.call(registerQueue, { fetch_event_types: ['reminders'] })).reminders).toEqual(listed);
  expect((await remindersOf(dan))[0]?.content).toContain('secret');

  const queue = await follow(eve);
  clock.advance(60_000);
  const delivered = (await queue.take('message', 3)) as unknown as { message: { content: string } }[];
  expect(delivered.map(({ message }) => message.content).sort()).toEqual([noted, noted, sentence].sort());
});

test('a reminder of a received message of a public channel is sent after the user has left the channel', async () => {
  const { dan, eve } = network;
  const { id: channelId } = await dan.call(createChannel, {
    name: 'open plans',
    subscribers: [dan.userId, eve.userId],
  });
  const { id } = await dan.call(sendMessage, { type: 'channel', to: channelId, topic: 'x', content: 'Soup!' });
  await remind(eve, id);
  await eve.call(unsubscribe, { subscriptions: ['open plans'] });
  expect((await remindersOf(eve))[0]?.content).toContain('Soup!');
});
