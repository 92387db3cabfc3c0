import type { Database, Sql, Statement } from '@parley/shared/db';
import type { ChannelReadFacts, Organization } from '@parley/shared/proto';
import fc from 'fast-check';
import { type MessagesUnderTest, startMessages } from '../../test/start-messages';
import type { Context } from '../context';
import { listTopics } from '../conversations/conversation.sql';
import { type Filter, isMatch, NO_FILTER } from '../narrows/filter';
import { findMessages, type Search } from './find-messages';
import type { Direction } from './find-messages.sql';
import { loadMessages, type MessageRow } from './message.sql';
import { hasReceived, type Reader } from './permissions';

const MESSAGES = 24_000;
const CHANNELS = 30;
const TOPICS_PER_CHANNEL = 3;
const READER_ID = 1;

let network: MessagesUnderTest;
let db: Database;
let rows: MessageRow[];

beforeAll(async () => {
  network = await startMessages();
  db = network.service.db;
  await fillDatabase();
  rows = await loadMessages(
    db,
    1,
    Array.from({ length: MESSAGES }, (_, index) => index + 1),
    READER_ID,
  );
});

afterAll(() => network.stop());

/**
 * Message i is in a channel, or every eighth one a direct message; channel c carries traffic like 1/c. The subscription version
 * of a channel rises with time. Topic t of channel c has the id 10c + t; the direct conversation of users 1 or 2 with k is 1000 + k.
 */
async function fillDatabase(): Promise<void> {
  await db.query(
    `insert into topic (realm_id, id, channel_id, name, name_key, max_message_id)
     select 1, 10 * c + t, c, 'topic ' || t, 'topic ' || t, 0
     from generate_series(1, ${CHANNELS}) c, generate_series(1, ${TOPICS_PER_CHANNEL}) t
     union all select 1, 100000 + i, 1000 + i, 'elsewhere', 'elsewhere', 0 from generate_series(1, 3000) i`,
  );
  await db.query(
    `insert into direct_conversation (realm_id, id, participant_ids, max_message_id)
     select 1, 1000 + k, array[1 + k % 2, k], 0 from generate_series(3, 20) k`,
  );
  await db.query(
    `insert into message (realm_id, id, conversation_id, channel_id, sent_channel_id, sent_version, sender_id, content,
       rendered_content, sent_at, client_name, is_me_message, is_read_by_sender, mentions_channel, mentions_topic)
     select 1, i, case when is_direct then 1003 + i % 18 else 10 * c + 1 + i % ${TOPICS_PER_CHANNEL} end, case when not is_direct then c end,
       case when not is_direct then c end, case when not is_direct then i / 1000 end, 1 + i % 5, '', '', now(), '', false,
       i % 2 = 0, false, false
     from (select i, i % 8 = 0 as is_direct, least(${CHANNELS}, floor(1 / ((i * 7919 % 10007 + 1) / 10008.0)))::int as c
           from generate_series(1, ${MESSAGES}) i) m`,
  );
  await db.query('analyze message, topic, direct_conversation');
}

/** A reader subscribed to the channels by those intervals; who may read the history of those that are `open`. */
function readerOf(intervals: Record<number, [from: number, to?: number][]>, open: number[] = []): Reader {
  const channels = Array.from({ length: CHANNELS }, (_, index) => index + 1).map((channelId): ChannelReadFacts => {
    const held = intervals[channelId] ?? [];
    return {
      channelId,
      name: `Channel ${channelId}`,
      mayReadHistory: open.includes(channelId),
      hasContentAccess: true,
      isSubscribed: true,
      isMuted: false,
      isPublic: false,
      isWebPublic: false,
      isArchived: false,
      intervals: held.map(([fromVersion, toVersion]) => (toVersion ? { fromVersion, toVersion } : { fromVersion })),
    };
  });
  const byId = new Map(channels.map((channel) => [channel.channelId, channel]));
  return { userId: READER_ID, realm: {} as Organization, channels: byId };
}

/** What one row per user and message would tell. */
function naively({ reader, filter, isUnreadOnly }: Search, direction: Direction, fromId: number, limit: number) {
  const isOwnRead = (row: MessageRow) => row.senderId === READER_ID && row.isReadBySender;
  const ids = rows
    .filter((row) => (direction === 'before' ? row.id <= fromId : row.id >= fromId))
    .filter((row) => isMatch(row, filter) && (filter.isHistoryIncluded || hasReceived(row, reader)))
    .filter((row) => !(isUnreadOnly && isOwnRead(row)))
    .map(({ id }) => id);
  return (direction === 'before' ? ids.reverse() : ids).slice(0, limit);
}

const find = (search: Search, direction: Direction, fromId: number, limit: number, sql: Sql = db) =>
  findMessages({ db: sql } as Context, search, { realmId: 1, direction, fromId, limit });

const channelId = fc.integer({ min: 1, max: CHANNELS });
const conversation = fc.oneof(
  fc.record({ channel: channelId, topic: fc.integer({ min: 1, max: TOPICS_PER_CHANNEL }) }).map((place) => ({
    id: 10 * place.channel + place.topic,
    channelId: place.channel,
  })),
  // The reader's own are the even ones.
  fc.integer({ min: 2, max: 10 }).map((k) => ({ id: 1000 + 2 * k, channelId: null })),
);
const some = <Item>(item: fc.Arbitrary<Item>) => fc.uniqueArray(item, { maxLength: 4 });
const version = fc.integer({ min: 0, max: MESSAGES / 1000 });
const intervals = fc.dictionary(
  channelId.map(String),
  fc.tuple(version, version, version).map((bounds): [number, number?][] => {
    const [a, b, c] = bounds.sort((x, y) => x - y) as [number, number, number];
    return a < b && b < c ? [[a, b], [c]] : [[a]];
  }),
);
const filter: fc.Arbitrary<Filter> = fc
  .record({
    place: fc.oneof(
      fc.constant({}),
      some(channelId).map((channelIds) => ({ channelIds })),
      some(conversation).map((conversations) => ({ conversations })),
    ),
    excludedChannelIds: some(channelId),
    excludedConversationIds: some(conversation.map(({ id }) => id)),
  })
  .map(({ place, ...excluded }) => ({ ...NO_FILTER, ...place, ...excluded }));

test('what is found agrees with one row per user and message', async () => {
  const search = fc.record({ intervals, filter, isUnreadOnly: fc.boolean() });
  const range = fc.record({
    direction: fc.constantFrom<Direction>('before', 'after'),
    fromId: fc.integer({ min: 0, max: MESSAGES + 1 }),
    limit: fc.constantFrom(1, 7, 100, 5_000),
  });
  const property = fc.asyncProperty(search, range, async (searched, { direction, fromId, limit }) => {
    const reader = readerOf(searched.intervals as Parameters<typeof readerOf>[0]);
    const wanted = { reader, filter: searched.filter, isUnreadOnly: searched.isUnreadOnly };
    expect(await find(wanted, direction, fromId, limit)).toEqual(naively(wanted, direction, fromId, limit));
  });
  await fc.assert(property, { numRuns: 150 });
}, 60_000);

test('the history of a channel is found whole', async () => {
  const reader = readerOf({ 1: [[20]] }, [1]);
  const history = { ...NO_FILTER, channelIds: [1], isHistoryIncluded: true };
  const search = { reader, filter: history, isUnreadOnly: false };
  expect(await find(search, 'after', 0, 50)).toEqual(naively(search, 'after', 0, 50));
  expect((await find(search, 'after', 0, 1))[0]).toBeLessThan(100);
});

describe('a search goes through indexes', () => {
  const recorded: string[] = [];
  /** The database, with the plan of every statement noted. */
  const explaining: Sql = {
    async query(sql, values) {
      const { text } = sql as Statement;
      const plan = await db.query<{ 'QUERY PLAN': string }>(`explain (costs off) ${text}`, values);
      recorded.push(plan.map((line) => line['QUERY PLAN']).join('\n'));
      return db.query(sql, values);
    },
  };
  const reader = readerOf({ 1: [[0]], 2: [[3, 7], [9]], 29: [[0]] });
  const searchOf = (narrow: Partial<Filter>, isUnreadOnly = false) => ({
    reader,
    filter: { ...NO_FILTER, ...narrow },
    isUnreadOnly,
  });

  const topic = { conversations: [{ id: 12, channelId: 1 }] };
  test.each<[string, string, () => Promise<unknown>]>([
    ['the feed', 'message_pkey', () => find(searchOf({}), 'before', MESSAGES, 100, explaining)],
    ['the first unread', 'message_pkey', () => find(searchOf({}, true), 'after', 0, 1, explaining)],
    ['a channel', 'message_of_channel', () => find(searchOf({ channelIds: [2] }), 'before', MESSAGES, 100, explaining)],
    ['a topic', 'message_of_conversation', () => find(searchOf(topic), 'after', 0, 100, explaining)],
    ['messages by id', 'message_pkey', () => loadMessages(explaining, 1, [5, 17, 4_000], READER_ID)],
    ['topics by name', 'topic_realm_id_channel_id_name_key_key', () => listTopics(explaining, 1, [1, 2], 'topic 1')],
  ])('%s by %s', async (_, index, search) => {
    recorded.length = 0;
    await search();
    expect(recorded).toEqual([expect.stringContaining(index)]);
    expect(recorded[0]).not.toContain('Seq Scan on message');
  });
});

describe('beyond the first window', () => {
  const searchOf = (userId: number, held: Parameters<typeof readerOf>[0]): Search => ({
    reader: { ...readerOf(held), userId },
    filter: NO_FILTER,
    isUnreadOnly: false,
  });

  test.each<[Direction, number]>([
    ['before', MESSAGES],
    ['after', 20_000],
  ])('no message is lost at its edge, %s %d', async (direction, fromId) => {
    // User 7 gets every 72nd message; 22,000 is one of them, and the first of the second window.
    const search = searchOf(7, {});
    const found = await find(search, direction, fromId, 100);
    expect(found).toContain(22_000);
    expect(found).toEqual(naively(search, direction, fromId, 100));
  });

  test('a quiet channel is found in four statements, whatever the traffic of others', async () => {
    const search = searchOf(99, { 29: [[0]] });
    const { statementCount } = db;
    const found = await find(search, 'before', MESSAGES, 100);
    expect(found).toEqual(naively(search, 'before', MESSAGES, 100));
    expect(found.at(-1)).toBeLessThan(MESSAGES - 18_000);
    expect(db.statementCount - statementCount).toBe(4);
  });
});
