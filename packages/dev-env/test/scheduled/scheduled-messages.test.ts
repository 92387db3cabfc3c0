import {
  archiveChannel,
  createChannel,
  createScheduledMessage,
  deactivateUser,
  deleteScheduledMessage,
  findChannel,
  getMessages,
  getScheduledMessages,
  registerQueue,
  unsubscribe,
  updateScheduledMessage,
} from '@parley/gateway/endpoints';
import { newCall } from '@parley/shared/rpc';
import { createFakeClock } from '@parley/shared/testing';
import { type EventQueue, eg, type TestClient, TestNetwork } from '../../src';

const HOUR_MS = 60 * 60_000;
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
const pass = (seconds: number) => clock.advance(seconds * 1_000);

function schedule(client: TestClient, over: Record<string, unknown> = {}): Promise<number> {
  const message = { type: 'channel', to: generalId, topic: 'lunch', content: 'Soup?' };
  const input = { ...message, scheduled_delivery_timestamp: inSeconds(60), ...over };
  return client.call(createScheduledMessage, input as never).then((made) => made.scheduled_message_id);
}

const scheduledOf = async (client: TestClient) => (await client.call(getScheduledMessages, {})).scheduled_messages;
const update = (client: TestClient, id: number, changes: object) =>
  client.call(updateScheduledMessage, { scheduled_message_id: id, ...changes });
const refusal = (client: TestClient, id: number, changes: object, code = 'BAD_REQUEST') =>
  client.expectError(code, updateScheduledMessage, { scheduled_message_id: id, ...changes });

async function newChannel(by: TestClient, name: string, others: TestClient[] = []): Promise<number> {
  const subscribers = [by.userId, ...others.map(({ userId }) => userId)];
  return (await by.call(createChannel, { name, subscribers })).id;
}

async function contentsOf(reader: TestClient, narrow: { operator: string; operand: unknown }[]): Promise<string[]> {
  const page = { anchor: 'newest' as const, num_before: 100, num_after: 0, narrow, apply_markdown: false };
  const { messages } = await reader.call(getMessages, page as never);
  return messages.map(({ content }) => content);
}

/** The scheduler's events for the owner, and the sent messages. */
const follow = (client: TestClient): Promise<EventQueue> =>
  client.events({ event_types: ['scheduled_messages', 'message'] });

describe('a scheduled message', () => {
  test('is stored, rendered and announced to its author only, and is part of their state', async () => {
    const { dan, eve } = network;
    const [queue, elsewhere] = [await follow(dan), await follow(eve)];
    const late = await schedule(dan, { content: '  *Soup*?\n', scheduled_delivery_timestamp: inSeconds(90) });
    const early = await schedule(dan, { type: 'private', to: [eve.userId, dan.userId, eve.userId], topic: 'none' });
    const expected = [
      {
        scheduled_message_id: early,
        type: 'private',
        to: [eve.userId],
        content: 'Soup?',
        rendered_content: '<p>Soup?</p>',
        scheduled_delivery_timestamp: inSeconds(60),
        failed: false,
      },
      {
        scheduled_message_id: late,
        type: 'stream',
        to: generalId,
        topic: 'lunch',
        content: '  *Soup*?',
        rendered_content: '<p><em>Soup</em>?</p>',
        scheduled_delivery_timestamp: inSeconds(90),
        failed: false,
      },
    ];
    expect(await scheduledOf(dan)).toEqual(expected);
    expect(await scheduledOf(eve)).toEqual([]);
    const state = await dan.call(registerQueue, { fetch_event_types: ['scheduled_messages'] });
    expect(state.scheduled_messages).toEqual(expected);
    expect(state).not.toHaveProperty('reminders');
    expect(await queue.take('scheduled_messages', 2)).toMatchObject([
      { op: 'add', scheduled_messages: [expected[1]] },
      { op: 'add', scheduled_messages: [expected[0]] },
    ]);
    for (const id of [early, late]) await dan.call(deleteScheduledMessage, { scheduled_message_id: id });
    expect(await queue.take('scheduled_messages', 2)).toMatchObject([
      { op: 'remove', scheduled_message_id: early },
      { op: 'remove', scheduled_message_id: late },
    ]);
    expect(await scheduledOf(dan)).toEqual([]);
    await network.settle();
    expect(await elsewhere.rest()).toEqual([]);
  });

  test.each([
    ['oneself', (dan: number) => [dan], (dan: number) => [dan]],
    [
      'a group',
      (dan: number, eve: number, iris: number) => [eve, dan, iris],
      (_: number, eve: number, iris: number) => [iris, eve],
    ],
  ])('may be for %s', async (_name, to, kept) => {
    const { dan, eve, iris } = network;
    const ids = [dan.userId, eve.userId, iris.userId] as const;
    const id = await schedule(dan, { type: 'direct', to: to(...ids) });
    expect(await scheduledOf(dan)).toMatchObject([{ to: kept(...ids) }]);
    await dan.call(deleteScheduledMessage, { scheduled_message_id: id });
  });

  test('is sent when its time has come, once, and then cannot be changed', async () => {
    const { dan, eve } = network;
    const [queue, received] = [await follow(dan), await follow(eve)];
    const id = await schedule(dan, { content: 'Now @**Eve Castillo**', read_by_sender: false });
    pass(59);
    await network.settle();
    expect(await received.rest()).toEqual([]);
    pass(1);
    const sent = await received.next('message');
    expect(sent).toMatchObject({
      message: { sender_id: dan.userId, content: 'Now @**Eve Castillo**', subject: 'lunch' },
    });
    expect(sent['flags']).toEqual(['mentioned']);
    expect(await queue.next('message')).toMatchObject({ flags: [] });
    expect(await queue.take('scheduled_messages', 2)).toMatchObject([{ op: 'add' }, { op: 'remove' }]);
    pass(300);
    await network.settle();
    expect(await received.rest()).toEqual([]);
    expect(await scheduledOf(dan)).toEqual([]);
    for (const changes of [{ content: 'Later' }, { scheduled_delivery_timestamp: inSeconds(60) }]) {
      expect(await refusal(dan, id, changes)).toMatchObject({ msg: 'Scheduled message was already sent' });
    }
  });

  test('that was sent by a replica which died before it could say so is not sent again', async () => {
    const { dan, eve } = network;
    const received = await follow(eve);
    const queue = await follow(dan);
    const id = await schedule(dan, { content: 'Once' });
    const { messageId } = await network.messagesService.sendMessage(
      { ...newCall(), realmId: dan.realmId, userId: dan.userId },
      {
        isDirect: false,
        channelId: generalId,
        topic: 'lunch',
        recipientIds: [],
        recipientEmails: [],
        content: 'Once',
        isReadBySender: false,
        clientName: 'ParleyTest',
        jobKey: `scheduled_message:${id}`,
      },
    );
    await queue.next('scheduled_messages');
    pass(60);
    expect(await queue.next('scheduled_messages')).toMatchObject({ op: 'remove', scheduled_message_id: id });
    await network.settle();
    expect(await received.rest()).toMatchObject([{ message: { id: messageId } }]);
  });

  test.each<[string, object, object]>([
    ['in the past', { scheduled_delivery_timestamp: 1 }, { msg: 'Scheduled delivery time must be in the future.' }],
    [
      'too far away',
      { scheduled_delivery_timestamp: 1e14 },
      { msg: 'Scheduled delivery time is too far in the future.' },
    ],
    ['to an unknown channel', { to: 99_999 }, { code: 'STREAM_DOES_NOT_EXIST', stream_id: 99_999 }],
    ['to channels in a list', { to: [1] }, { msg: 'Invalid data type for channel ID' }],
    ['to one user, bare', { type: 'direct', to: 1 }, { msg: 'Invalid data type for recipients' }],
    ['to a channel by its name', { to: 'general' }, { msg: 'to["int"] is not an integer' }],
    ['to users by address', { type: 'direct', to: ['eve@example.com'] }, { msg: 'to["int"] is not an integer' }],
    ['to nobody', { type: 'direct', to: [] }, { msg: 'Message must have recipients' }],
    ['to an unknown user', { type: 'direct', to: [99_999] }, { msg: 'Invalid user ID 99999' }],
    ['without a topic', { topic: undefined }, { msg: 'Missing topic' }],
    ['of another type', { type: 'mail' }, { msg: 'Invalid type' }],
    ['without content', { content: ' ' }, { msg: 'Message must not be empty' }],
  ])('%s is refused', async (_name, over, expected) => {
    const { dan } = network;
    const message = {
      type: 'channel',
      to: generalId,
      topic: 'x',
      content: 'x',
      scheduled_delivery_timestamp: inSeconds(9),
    };
    const { code = 'BAD_REQUEST' } = expected as { code?: string };
    const input = { ...message, ...over };
    expect(await dan.expectError(code, createScheduledMessage, input as never)).toMatchObject(expected);
  });
});

describe('an edit', () => {
  test('changes only the named fields', async () => {
    const { dan, eve } = network;
    const id = await schedule(dan);
    const queue = await follow(dan);
    const expectNow = async (expected: object) => {
      expect(await scheduledOf(dan)).toMatchObject([expected]);
      expect(await queue.next('scheduled_messages')).toMatchObject({ op: 'update', scheduled_message: expected });
    };
    await update(dan, id, { content: '**Stew**' });
    await expectNow({
      content: '**Stew**',
      rendered_content: '<p><strong>Stew</strong></p>',
      topic: 'lunch',
      to: generalId,
    });
    await update(dan, id, { topic: 'dinner' });
    await expectNow({ topic: 'dinner', content: '**Stew**' });
    await update(dan, id, { scheduled_delivery_timestamp: inSeconds(500) });
    await expectNow({ scheduled_delivery_timestamp: inSeconds(500), topic: 'dinner' });
    await update(dan, id, { type: 'direct', to: [eve.userId] });
    await expectNow({ type: 'private', to: [eve.userId], content: '**Stew**' });
    await update(dan, id, { to: [dan.userId], topic: 'ignored' });
    await expectNow({ type: 'private', to: [dan.userId] });
    await update(dan, id, { type: 'stream', to: generalId, topic: 'supper' });
    await expectNow({ type: 'stream', to: generalId, topic: 'supper' });
    const received = await follow(eve);
    pass(499);
    await network.settle();
    expect(await received.rest()).toEqual([]);
    pass(1);
    expect(await received.next('message')).toMatchObject({ message: { content: '**Stew**', subject: 'supper' } });
    await queue.next('scheduled_messages');
  });

  test('is made although many others are made at the same time', async () => {
    const { eve } = network;
    const id = await schedule(eve);
    const contents = Array.from({ length: 20 }, (_, index) => `Version ${index}`);
    await Promise.all(contents.map((content) => update(eve, id, { content })));
    const kept = (await scheduledOf(eve)).find((one) => one.scheduled_message_id === id);
    expect(contents).toContain(kept?.content);
    await eve.call(deleteScheduledMessage, { scheduled_message_id: id });
  });

  test('is refused with too few fields, or for a message that could not be sent', async () => {
    const { dan, eve } = network;
    const id = await schedule(dan);
    const msgOf = async (changes: object) => (await refusal(dan, id, changes))['msg'];
    expect(await msgOf({})).toBe('Nothing to change');
    expect(await msgOf({ type: 'direct' })).toBe('Recipient required when updating type of scheduled message.');
    expect(await msgOf({ type: 'channel', to: generalId })).toBe(
      'Topic required when updating scheduled message type to channel.',
    );
    expect(await msgOf({ scheduled_delivery_timestamp: inSeconds(0) })).toBe(
      'Scheduled delivery time must be in the future.',
    );
    expect(await msgOf({ to: [eve.userId] })).toBe('Invalid data type for channel ID');
    expect(await msgOf({ type: 'direct', to: 1 })).toBe('Invalid data type for recipients');
    expect(await msgOf({ type: 'direct', to: [99_999] })).toBe('Invalid user ID 99999');
    expect(await msgOf({ content: '' })).toBe('Message must not be empty');
    expect(await refusal(dan, id, { to: 99_999 }, 'STREAM_DOES_NOT_EXIST')).toMatchObject({ stream_id: 99_999 });
    await dan.call(deleteScheduledMessage, { scheduled_message_id: id });
  });

  test('of another user’s message or an absent one is refused alike', async () => {
    const { dan, eve } = network;
    const id = await schedule(dan);
    const unknown = { result: 'error', code: 'BAD_REQUEST', msg: 'Scheduled message does not exist' };
    for (const [client, which] of [
      [eve, id],
      [dan, 99_999],
    ] as const) {
      expect(await refusal(client, which, { content: 'x' })).toMatchObject(unknown);
      expect(
        await client.expectError('BAD_REQUEST', deleteScheduledMessage, { scheduled_message_id: which }),
      ).toMatchObject(unknown);
      const path = `/api/v1/scheduled_messages/${which}`;
      expect((await client.callRaw({ method: 'DELETE', path })).status).toBe(404);
    }
    await dan.call(deleteScheduledMessage, { scheduled_message_id: id });
  });
});

describe('a message that cannot be sent when it is due', () => {
  test('fails with an event for its author, and is sent after it gets a new time and destination', async () => {
    const { dan, eve, iris } = network;
    const channelId = await newChannel(iris, 'cellar', [dan]);
    const id = await schedule(dan, { to: channelId });
    const queue = await follow(dan);
    await iris.call(archiveChannel, { stream_id: channelId });
    const dueAt = inSeconds(60);
    pass(60);
    const failed = { scheduled_message_id: id, failed: true, to: channelId };
    expect(await queue.next('scheduled_messages')).toMatchObject({ op: 'update', scheduled_message: failed });
    expect(await scheduledOf(dan)).toMatchObject([failed]);
    const notice = (await queue.next('message'))['message'];
    expect(notice).toMatchObject({ type: 'private', sender_full_name: 'Notification Bot' });
    expect((notice as { content: string }).content).toBe(
      [
        `The message you scheduled for <time:${new Date(dueAt * 1_000).toISOString()}> was not sent because of the following error:`,
        "> Not authorized to send to channel 'cellar'",
        '[View scheduled messages](#scheduled)',
      ].join('\n\n'),
    );
    const refused = await refusal(dan, id, { type: 'direct', to: [eve.userId] });
    expect(refused['msg']).toBe('Scheduled delivery time must be in the future.');
    const received = await follow(eve);
    await update(dan, id, { type: 'direct', to: [eve.userId], scheduled_delivery_timestamp: inSeconds(5) });
    expect(await scheduledOf(dan)).toMatchObject([{ failed: false }]);
    pass(5);
    expect(await received.next('message')).toMatchObject({ message: { content: 'Soup?' } });
  });

  test('is judged by the rights of that time, not of now', async () => {
    const { dan, iris } = network;
    const channelId = (
      await iris.call(createChannel, { name: 'vault', subscribers: [iris.userId, dan.userId], invite_only: true })
    ).id;
    const id = await schedule(dan, { to: channelId });
    await iris.call(unsubscribe, { subscriptions: ['vault'], principals: [dan.userId] });
    const queue = await follow(dan);
    pass(60);
    expect(await queue.next('scheduled_messages')).toMatchObject({ op: 'update', scheduled_message: { failed: true } });
    expect(await contentsOf(iris, [{ operator: 'channel', operand: channelId }])).not.toContain('Soup?');
    await dan.call(deleteScheduledMessage, { scheduled_message_id: id });
  });

  test('is not sent for a deactivated user', async () => {
    const { iris, faye, eve } = network;
    const received = await follow(eve);
    await schedule(faye, { to: generalId, content: 'Gone' });
    await iris.call(deactivateUser, { user_id: faye.userId });
    await network.settle();
    await received.rest();
    pass(60);
    const failed = async () => {
      const sql = 'select failure_message as why from scheduled_message where user_id = $1';
      const [row] = await network.database('scheduler').query<{ why: string | null }>(sql, [faye.userId]);
      return row?.why ?? null;
    };
    while ((await failed()) === null);
    expect(await failed()).toBe('Account is deactivated');
    await network.settle();
    expect(await received.rest()).toEqual([]);
  });
});

describe('a scheduler after an outage', () => {
  const stop = () => Promise.all(network.replicas.scheduler.map((replica) => replica.stop()));
  const directsOf = (client: TestClient) => contentsOf(client, [{ operator: 'is', operand: 'dm' }]);
  const start = () => Promise.all(network.replicas.scheduler.map((replica) => replica.start()));

  test('sends messages that became due meanwhile', async () => {
    const { dan, eve } = network;
    await schedule(dan, { type: 'direct', to: [eve.userId], content: 'Late' });
    await stop();
    clock.advance(20 * HOUR_MS);
    await start();
    while (!(await directsOf(eve)).includes('Late'));
  });

  test('sends nothing that is later than is allowed', async () => {
    const { dan } = network;
    const id = await schedule(dan, { content: 'Too late' });
    await stop();
    clock.advance(25 * HOUR_MS);
    await start();
    const isNotice = (content: string) => content.includes('> Message could not be sent at the scheduled time.');
    while (!(await directsOf(dan)).some(isNotice));
    expect(await scheduledOf(dan)).toMatchObject([{ scheduled_message_id: id, failed: true }]);
    await dan.call(deleteScheduledMessage, { scheduled_message_id: id });
  });
});

test('bots schedule messages too', async () => {
  const { robo, eve } = network;
  const received = await follow(eve);
  await schedule(robo, { type: 'direct', to: [eve.userId], content: 'Beep' });
  pass(60);
  expect(await received.next('message')).toMatchObject({ message: { content: 'Beep', sender_id: robo.userId } });
});

test('the scheduled messages of a user are limited', async () => {
  const { robo, eve } = network;
  await network.database('scheduler').query(
    `insert into scheduled_message (realm_id, user_id, channel_id, recipient_ids, topic, content, rendered_content, deliver_at,
       is_read_by_sender, client_name)
     select $1, $2, null, array[$2::bigint], '', 'x', '<p>x</p>', to_timestamp($3), false, '' from generate_series(1, 1000)`,
    [robo.realmId, robo.userId, inSeconds(3600)],
  );
  const message = {
    type: 'direct' as const,
    to: [eve.userId],
    content: 'x',
    scheduled_delivery_timestamp: inSeconds(60),
  };
  expect(await robo.expectError('BAD_REQUEST', createScheduledMessage, message)).toMatchObject({
    msg: 'There are too many scheduled messages; delete some of them first.',
  });
});
