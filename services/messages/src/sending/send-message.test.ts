import { countUnpublished } from '@parley/shared/bus';
import { messageSent } from '@parley/shared/events';
import type { SendMessageRequest, User } from '@parley/shared/proto';
import { createFakeClock } from '@parley/shared/testing';
import { type PeerChannel, REVOKED_KEY_ID } from '../../test/realm-peer';
import { callerOf, type MessagesUnderTest, startMessages, toChannel, toUsers } from '../../test/start-messages';

const clock = createFakeClock();
let network: MessagesUnderTest;
let ann: User;
let bob: User;
let eve: User;
let gone: User;
let lobby: PeerChannel;

beforeAll(async () => {
  network = await startMessages({ clock });
  const { realm } = network;
  [ann, bob, eve] = [realm.addUser('Ann'), realm.addUser('Bob'), realm.addUser('Eve')];
  gone = realm.addUser('Gone', { isActive: false });
  lobby = realm.addChannel('Lobby');
  realm.subscribe(lobby, ann, bob);
  const memberIds = [bob.id, eve.id];
  realm.groups.push({ id: 41, name: 'cooks', isSystem: false, isDeactivated: false, memberIds, mayBeMentioned: true });
  realm.groups.push({ id: 42, name: 'chefs', isSystem: false, isDeactivated: false, memberIds, mayBeMentioned: false });
});

afterAll(() => network.stop());

const query = <Row>(text: string, values: unknown[] = []) => network.service.db.query<Row>(text, values);

async function send(user: User, request: SendMessageRequest): Promise<number> {
  const { messageId } = await network.client.sendMessage(callerOf(user), request);
  return messageId;
}

const sendToName = (channelName: string): SendMessageRequest => ({
  ...toUsers([], 'hi', { isDirect: false, topic: 'x' }),
  channelName,
});

/** The payload of the message's only event. */
async function payloadOf(messageId: number) {
  const rows = await query<{ kind: string; payload: string }>(
    `select kind, payload from outbox where payload::jsonb @> jsonb_build_object('message', jsonb_build_object('id', $1::int))`,
    [messageId],
  );
  expect(rows.map(({ kind }) => kind)).toEqual([messageSent.kind]);
  return JSON.parse(rows[0]?.payload as string);
}

describe('sending to a channel', () => {
  test('stores the message and announces exactly what was stored', async () => {
    const facts = { queueId: 'q1', localId: '12.01', isReadBySender: true, clientName: 'phone' };
    const id = await send(ann, toChannel(lobby.id, ' Lunch ', '\n\n  so"up\\? 😀 \n', facts));
    expect(await payloadOf(id)).toEqual({
      message: {
        id,
        recipientId: 2 * lobby.id,
        realmId: 1,
        sender: ann,
        channelId: lobby.id,
        channelName: 'Lobby',
        participants: [],
        topic: 'Lunch',
        topicLinks: [],
        content: '  so"up\\? 😀',
        renderedContent: expect.stringContaining('<p>so"up\\?'),
        sentAtMs: clock.now(),
        clientName: 'phone',
        isMeMessage: false,
        flags: [],
        reactions: [],
        submessages: [],
        senderRealm: '',
      },
      subscriptionVersion: lobby.subscriptionVersion,
      isChannelPublic: true,
      readByIds: [ann.id],
      mentionedIds: [],
      mentionsChannel: false,
      mentionsTopic: false,
      queueId: 'q1',
      localId: '12.01',
    });
  });

  test('a message by id is the message that was announced', async () => {
    const id = await send(ann, toChannel(lobby.id, 'Lunch', '/me cooks', { clientName: 'x'.repeat(40) }));
    const { message } = await payloadOf(id);
    expect(message).toMatchObject({ isMeMessage: true, clientName: 'x'.repeat(30) });
    expect(await network.client.getMessage(callerOf(ann), { messageId: id })).toEqual(message);
  });

  test('each message keeps the casing of its topic, and they are one topic', async () => {
    const ids = [];
    for (const topic of ['Case', 'CASE', 'case']) ids.push(await send(ann, toChannel(lobby.id, topic, 'hi')));
    const messages = await Promise.all(ids.map((messageId) => network.client.getMessage(callerOf(bob), { messageId })));
    expect(messages.map(({ topic }) => topic)).toEqual(['Case', 'CASE', 'case']);
    expect(await query(`select name, max_message_id as "maxMessageId" from topic where name_key = 'case'`)).toEqual([
      { name: 'Case', maxMessageId: ids[2] },
    ]);
  });

  test('is one statement here, and one question to realm', async () => {
    const { db } = network.service;
    const [statements, questions]: [number[], number[]] = [[], []];
    // The fewest of some sends: what the service does besides is counted, too.
    for (let round = 0; round < 3; round += 1) {
      const [statementsBefore, questionsBefore] = [db.statementCount, network.realm.sendFactsCalls.length];
      await send(ann, toChannel(lobby.id, 'budget', 'hi @**Bob**', { queueId: 'q', localId: `budget ${round}` }));
      statements.push(db.statementCount - statementsBefore);
      questions.push(network.realm.sendFactsCalls.length - questionsBefore);
    }
    expect([Math.min(...statements), Math.min(...questions)]).toEqual([1, 1]);
  });

  test('concurrent sends share questions and commits', async () => {
    const { db } = network.service;
    const [statements, calls] = [db.statementCount, network.realm.sendFactsCalls.length];
    await Promise.all(Array.from({ length: 40 }, (_, index) => send(ann, toChannel(lobby.id, 'crowd', `${index}`))));
    expect(db.statementCount - statements).toBeLessThan(20);
    expect(network.realm.sendFactsCalls.length - calls).toBeLessThan(20);
  });

  test('the outbox is in the order of the messages of one sender', async () => {
    const ids = [];
    for (let index = 0; index < 10; index += 1) ids.push(await send(ann, toChannel(lobby.id, 'order', `${index}`)));
    expect(ids).toEqual([...ids].sort((a, b) => a - b));
    const rows = await query<{ id: number }>(
      `select (payload::jsonb #>> '{message,id}')::int as id from outbox
       where payload::jsonb #>> '{message,topic}' = 'order' order by id`,
    );
    expect(rows.map(({ id }) => id)).toEqual(ids);
  });

  test('a topic that it links to is linked by its newest message', async () => {
    const newest = await send(ann, toChannel(lobby.id, 'linked', 'hi'));
    const { message } = await payloadOf(await send(ann, toChannel(lobby.id, 'x', '#**Lobby>linked**')));
    expect(message.renderedContent).toContain(`/topic/linked/with/${newest}"`);
  });

  test('the organization’s linkifiers apply to content and topic', async () => {
    const { message } = await payloadOf(await send(ann, toChannel(lobby.id, 'about #12', 'see #34')));
    expect(message.renderedContent).toBe('<p>see <a href="https://tickets.example/34">#34</a></p>');
    expect(message.topicLinks).toEqual([{ text: '#12', url: 'https://tickets.example/12' }]);
  });

  test('a sent message reaches the event log', async () => {
    await send(ann, toChannel(lobby.id, 'log', 'hi'));
    await network.service.relay.drain();
    expect(await countUnpublished(network.service.db)).toBe(0);
  });
});

describe('mentions', () => {
  test('by name and by group are stored once per user and announced', async () => {
    const id = await send(ann, toChannel(lobby.id, 'm', '@**Bob** @*cooks* and @**Gone**'));
    expect(await payloadOf(id)).toMatchObject({ mentionedIds: [bob.id, eve.id] });
    const rows = await query('select user_id as "userId" from mention where message_id = $1 order by 1', [id]);
    expect(rows).toEqual([{ userId: bob.id }, { userId: eve.id }]);
  });

  test('names mentioned generic bots, not webhook bots', async () => {
    const addBot = (name: string, botType: number) => network.realm.addUser(name, { isBot: true, botType });
    const [waiting] = [addBot('Waiter', 1), addBot('Called', 3)];
    const id = await send(ann, toChannel(lobby.id, 'm', '@**Waiter** @**Called** @**Bob**'));
    expect(await payloadOf(id)).toMatchObject({ mentionedBotIds: [waiting.id] });
    for (const request of [toUsers([bob], '@**Waiter**'), toChannel(lobby.id, 'm', '`@**Waiter**`')])
      expect(await payloadOf(await send(ann, request))).not.toHaveProperty('mentionedBotIds');
  });

  test('of everybody and of the topic are flags of the message', async () => {
    await send(bob, toChannel(lobby.id, 'm', 'hi'));
    const id = await send(ann, toChannel(lobby.id, 'm', '@**all** @**topic**'));
    expect(await payloadOf(id)).toMatchObject({ mentionsChannel: true, mentionsTopic: true, mentionedIds: [] });
    const { flags } = await network.client.getMessage(callerOf(bob), { messageId: id });
    expect(flags).toEqual(['stream_wildcard_mentioned', 'topic_wildcard_mentioned', 'wildcard_mentioned']);
  });

  test('of a group that the sender may not mention are refused, unless they are silent, quoted or code', async () => {
    const refusal = { code: 'BAD_REQUEST', message: "You are not allowed to mention user group 'chefs'." };
    for (const request of [toChannel(lobby.id, 'm', 'hi @*cooks* and @*chefs*'), toUsers([bob], '@*chefs*')]) {
      await expect(send(ann, request)).rejects.toMatchObject(refusal);
    }
    const id = await send(ann, toChannel(lobby.id, 'm', '@_*chefs* `@*chefs*`\n\n> @*chefs*'));
    expect(await payloadOf(id)).toMatchObject({ mentionedIds: [] });
  });

  test('in a direct message are those of its participants; it has no topic to mention', async () => {
    const id = await send(ann, toUsers([eve], '@**Bob** @*cooks* @**topic**'));
    expect(await payloadOf(id)).toMatchObject({ mentionsTopic: false, mentionedIds: [eve.id] });
  });
});

describe('a direct message', () => {
  test('goes to the sender and every recipient once, however they are named', async () => {
    const ids = [
      await send(ann, toUsers([eve, bob, eve], 'one')),
      await send(bob, toUsers([], 'two', { recipientEmails: ['ann@example.com', 'EVE@example.com'] })),
      await send(eve, toUsers([ann, bob, eve], 'three')),
    ];
    const payloads = await Promise.all(ids.map(payloadOf));
    for (const { message } of payloads) expect(message.participants).toEqual([ann, bob, eve]);
    expect(new Set(payloads.map(({ message }) => message.recipientId)).size).toBe(1);
    expect(payloads[0]).not.toHaveProperty('subscriptionVersion');
  });

  test('is known by the same number to all, and by another than any other conversation', async () => {
    const sent = [
      toUsers([bob], 'pair'),
      toUsers([], 'self', { recipientIds: [ann.id] }),
      toUsers([bob, eve], 'group'),
    ];
    const messages = [];
    for (const request of sent) {
      const messageId = await send(ann, request);
      const message = await network.client.getMessage(callerOf(ann), { messageId });
      expect(message).toEqual((await payloadOf(messageId)).message);
      messages.push(message);
    }
    expect(messages.map(({ participants }) => participants.length)).toEqual([2, 1, 3]);
    expect(new Set(messages.map(({ recipientId }) => recipientId)).size).toBe(3);
    expect(messages.every(({ recipientId }) => recipientId % 2 === 1)).toBe(true);
  });

  test('has no topic, even if one was sent', async () => {
    const id = await send(ann, toUsers([bob], 'hi', { topic: 'a\nb' }));
    expect((await payloadOf(id)).message).toMatchObject({ topic: '', channelName: '' });
  });

  test('may go to 300 people', async () => {
    const crowd = Array.from({ length: 300 }, (_, index) => network.realm.addUser(`Crowd ${index}`));
    const id = await send(ann, toUsers(crowd, 'all of you'));
    expect((await payloadOf(id)).message.participants.length).toBe(301);
  });
});

describe('of several errors the first in this order is reported', () => {
  const stranger = { recipientIds: [999] };
  test.each<[string, () => SendMessageRequest, string]>([
    ['missing topic before content', () => ({ ...toUsers([], ''), isDirect: false, channelId: 1 }), 'Missing topic'],
    ['topic characters before content', () => toChannel(1, 'a\nb', ''), 'Invalid character in topic, at position 2!'],
    ['recipients before content', () => toUsers([], '', stranger), 'Invalid user ID 999'],
    ['inactive recipients before content', () => toUsers([gone], ''), "'gone@example.com' is no longer using Parley."],
    ['content before the channel', () => toChannel(999, 'x', ' '), 'Message must not be empty'],
    ['the channel', () => toChannel(999, 'x', 'hi'), "Channel with ID '999' does not exist"],
  ])('%s', async (_, request, expected) => {
    await expect(send(ann, request())).rejects.toThrow(expected);
  });

  test.each<[string, () => SendMessageRequest, string]>([
    ['the channel', () => sendToName('Lo\0bby'), 'Invalid character in channel name, at position 3.'],
    ['a recipient', () => toUsers([], 'hi', { recipientEmails: ['b\0@x'] }), "Invalid email 'b\0@x'"],
    ['a mentioned name', () => toChannel(lobby.id, 'x', '@**Bo\0b**'), 'Message must not contain null bytes'],
    ['an idempotency key', () => ({ ...toUsers([bob], 'hi'), idempotencyKey: '\0' }), 'Idempotency-Key must not'],
  ])('a null byte in %s is nobody else’s fault', async (_, request, expected) => {
    await expect(send(ann, request())).rejects.toThrow(expected);
  });

  test('a refused message is not stored', async () => {
    const [before] = await query('select count(*) from message');
    await expect(send(ann, toChannel(999, 'x', 'hi'))).rejects.toMatchObject({ code: 'STREAM_DOES_NOT_EXIST' });
    expect(await query('select count(*) from message')).toEqual([before]);
  });
});

test('the organization’s topics policy applies where the channel inherits it', async () => {
  network.realm.realm.topicsPolicy = 'disable_empty_topic';
  await expect(send(ann, toChannel(lobby.id, '', 'hi'))).rejects.toThrow('general chat topic is not allowed');
  network.realm.realm.topicsPolicy = 'allow_empty_topic';
  const id = await send(ann, toChannel(lobby.id, 'general chat', 'hi'));
  expect((await payloadOf(id)).message.topic).toBe('');
});

test('an invalid credential is refused, even for a repeated key', async () => {
  const keyed = toChannel(lobby.id, 'x', 'once', { queueId: 'q', localId: 'revoked' });
  const id = await send(ann, { ...keyed, credential: { apiKeyId: 1, email: ann.email } });
  expect(await send(ann, { ...keyed, credential: { apiKeyId: 1, email: ann.email } })).toBe(id);
  const revoked = { apiKeyId: REVOKED_KEY_ID, email: ann.email };
  await expect(send(ann, { ...keyed, credential: revoked })).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  const caller = { ...callerOf(ann), credential: { ...revoked, isConfirmed: false } };
  await expect(network.client.sendMessage(caller, keyed)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
});
