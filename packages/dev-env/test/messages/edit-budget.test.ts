import {
  addReaction,
  deleteMessage,
  editMessage,
  sendMessage,
  subscribe,
  updateFlags,
} from '@parley/gateway/endpoints';
import { newCall } from '@parley/shared/rpc';
import { createFakeClock } from '@parley/shared/testing';
import { TestNetwork } from '../../src';

/** In all services together, without the relays' statements. */
/**
 * Two of those of a resolve note that the change of its actor's topic policy was handled, which the old form of that event follows from; two
 * find who is told of its notice. Nine of those of a new mention tell the person.
 */
const BUDGETS = { 'edit the content': 3, 'mention somebody': 12, react: 3, resolve: 18, delete: 9 };
type Deed = keyof typeof BUDGETS;
/** Realm announces the new first message to everyone who can see the channel. */
const DELETING_THE_FIRST_OF_CHANNEL = 17;

const MANY_SUBSCRIBERS = 1_000;
const MANY_MESSAGES = 60;
const MANY_READERS = 10_000;

let network: TestNetwork;
beforeAll(async () => {
  // The clock stands still: the services' periodic tasks do not count.
  network = await TestNetwork.create({ clock: createFakeClock() });
});
afterAll(() => network.stop());

async function send(channel: string, topic: string): Promise<number> {
  const message = { type: 'channel', to: channel, topic, content: 'Hello' } as const;
  return (await network.dan.call(sendMessage, message)).id;
}

async function statementsOf(deed: () => Promise<unknown>): Promise<number> {
  await network.settle();
  const before = network.statementCount();
  await deed();
  await network.settle();
  return network.statementCount() - before;
}

/** The cost of each in a new topic with that many messages. */
async function costs(channel: string, topic: string, messageCount: number): Promise<Record<Deed, number>> {
  const { dan } = network;
  const id = await send(channel, topic);
  for (let count = 1; count < messageCount; count += 1) await send(channel, topic);
  const heart = { emoji_name: 'heart', emoji_code: '2764', reaction_type: 'unicode_emoji' };
  const resolved = { topic: `✔ ${topic}`, propagate_mode: 'change_all' };
  return {
    'edit the content': await statementsOf(() => dan.call(editMessage, { message_id: id, content: 'Hello there' })),
    'mention somebody': await statementsOf(() =>
      dan.call(editMessage, { message_id: id, content: 'Hello @**Eve Castillo**' }),
    ),
    react: await statementsOf(() => dan.call(addReaction, { message_id: id, ...heart })),
    resolve: await statementsOf(() => dan.call(editMessage, { message_id: id, ...resolved })),
    delete: await statementsOf(() => dan.call(deleteMessage, { message_id: id })),
  };
}

/** The name of a channel that a whole organization is in. */
async function fillLargeChannel(): Promise<string> {
  const { realmService, dan, eve } = network;
  const size = { users: MANY_SUBSCRIBERS + 200, channels: 1, subscriptionsPerUser: 1, groups: 0, seed: 1 };
  await realmService.fillRealm(newCall(undefined, 60_000), { subdomain: '', ...size });
  const [channel] = await network
    .database('realm')
    .query<{ name: string; count: number }>(
      'select name, subscriber_count as count from channel order by subscriber_count desc limit 1',
    );
  expect(channel?.count).toBeGreaterThan(MANY_SUBSCRIBERS);
  const subscriptions = [{ name: channel?.name as string }];
  await dan.call(subscribe, { subscriptions, principals: [dan.userId, eve.userId] });
  return channel?.name as string;
}

test('a change of a message takes few SQL statements, however many users have it and however large its topic', async () => {
  const { dan, eve } = network;
  await dan.call(subscribe, { subscriptions: [{ name: 'small' }], principals: [dan.userId, eve.userId] });
  const largeChannel = await fillLargeChannel();
  await costs('small', 'first', 1);
  const small = await costs('small', 'short', 1);
  const first = await send(largeChannel, 'first');
  await send(largeChannel, 'second');
  const deletion = () => dan.call(deleteMessage, { message_id: first });
  expect(await statementsOf(deletion)).toBeLessThanOrEqual(DELETING_THE_FIRST_OF_CHANNEL);
  const large = await costs(largeChannel, 'long', MANY_MESSAGES);
  const overdrawn = (Object.keys(BUDGETS) as Deed[]).filter((deed) => small[deed] === 0 || small[deed] > BUDGETS[deed]);
  expect([overdrawn, small]).toEqual([[], small]);
  expect(large).toEqual(small);
}, 60_000);

/** Inserts that many users who have read a message, marked something in its topic, starred and collapsed it. */
async function storeReaders(messageId: number, readerCount: number): Promise<void> {
  const statements = [
    `insert into read_watermark (realm_id, user_id, message_id) select m.realm_id, u, m.id from readers
     on conflict (realm_id, user_id) do update set message_id = excluded.message_id`,
    `insert into read_exception (realm_id, user_id, conversation_id, read)
     select m.realm_id, u, m.conversation_id, int8multirange(int8range(m.id, m.id + 1)) from readers`,
    `insert into personal_flag (realm_id, user_id, message_id, is_starred, is_collapsed)
     select m.realm_id, u, m.id, true, true from readers`,
  ];
  for (const text of statements) {
    const readers = 'message m cross join generate_series(1000001, 1000000 + $2::int) as u where m.id = $1';
    await network.database('messages').query(text.replace('readers', readers), [messageId, readerCount]);
  }
}

interface Telling {
  statements: number;
  recordBytes: number;
  flags: unknown;
}

/**
 * The cost of changing a message with that many readers, and of the events for a waiting client; all have read and starred it.
 */
async function tellings(topic: string, readerCount: number): Promise<Record<'edit' | 'move', Telling>> {
  const { dan, eve } = network;
  const id = await send('small', topic);
  await storeReaders(id, readerCount);
  const events = await eve.events({ event_types: ['update_message'] });
  for (const flag of ['read', 'starred'] as const) await eve.call(updateFlags, { messages: [id], op: 'add', flag });
  const telling = async (change: { content?: string; topic?: string }): Promise<Telling> => {
    const received = events.next('update_message');
    const statements = await statementsOf(async () => {
      await dan.call(editMessage, { message_id: id, ...change });
      await received;
    });
    const [record] = await network
      .database('messages')
      .query<{ bytes: number }>(
        "select length(payload) as bytes from outbox where kind = 'message.edited' order by id desc limit 1",
      );
    return { statements, recordBytes: record?.bytes as number, flags: (await received)['flags'] };
  };
  return { edit: await telling({ content: 'Hello again' }), move: await telling({ topic: `${topic} too` }) };
}

test('an edit and a move cost as few statements, and their events say as much, however many have read the message', async () => {
  const { dan, eve } = network;
  await dan.call(subscribe, { subscriptions: [{ name: 'small' }], principals: [dan.userId, eve.userId] });
  await tellings('read by some', 10);
  const [few, many] = [await tellings('read by few!', 10), await tellings('read by many', MANY_READERS)];
  for (const deed of ['edit', 'move'] as const) {
    expect(many[deed].flags).toEqual(['read', 'starred']);
    expect(many[deed].statements).toBe(few[deed].statements);
    // The ids of later messages may be a figure longer.
    expect(Math.abs(many[deed].recordBytes - few[deed].recordBytes)).toBeLessThan(20);
  }
  // One more than without a waiting client, for that one's flags.
  expect(many.edit.statements).toBe(BUDGETS['edit the content'] + 1);
}, 60_000);
