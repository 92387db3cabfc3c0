import type { Database } from '@parley/shared/db';
import type { ChannelReadFacts, Organization } from '@parley/shared/proto';
import type { TestDatabase } from '@parley/shared/testing';
import { openTestDatabase } from '../../test/open-test-database';
import type { Reader } from '../access/permissions';
import { findNewestUnread } from '../search/find-newest-unread';
import { findUnread, firstUnread, type UnreadPlace } from '../search/find-unread.sql';
import { markAllRead, markChannelRead } from './read-state.sql';
import { unreadMessages, unreadParameters, unreadValues } from './unread.sql';

const REALM_ID = 1;
const READER_ID = 1;
const CHANNELS = 20;
const TOPICS_PER_CHANNEL = 50;
const MESSAGES = 100_000;

let database: TestDatabase;
let db: Database;

beforeAll(async () => {
  database = await openTestDatabase();
  db = database.db;
  await fill();
}, 120_000);

afterAll(() => database.close());

/** Messages in turn to every topic; the reader has read all but the newest hundredth. */
async function fill(): Promise<void> {
  const topics = CHANNELS * TOPICS_PER_CHANNEL;
  await db.query(
    `insert into topic (realm_id, id, channel_id, name, name_key, max_message_id)
     select $1, t, 1 + t % $3::int, 't' || t, 't' || t, $4 from generate_series(1, $2::int) as t`,
    [REALM_ID, topics, CHANNELS, MESSAGES],
  );
  await db.query(
    `insert into message (realm_id, id, conversation_id, channel_id, sent_channel_id, sent_version, sender_id, content,
       rendered_content, sent_at, client_name, is_me_message, is_read_by_sender, mentions_channel, mentions_topic)
     select $1, m, t.id, t.channel_id, t.channel_id, 1 + m / 1000, 2, '', '', now(), 'test', false, true, false, false
     from generate_series(1, $3::int) as m join topic t on t.realm_id = $1 and t.id = 1 + m % $2::int`,
    [REALM_ID, topics, MESSAGES],
  );
  await readMost();
  await db.query('vacuum analyze message, topic, read_exception');
}

async function readMost(): Promise<void> {
  await db.query(
    `insert into read_exception (realm_id, user_id, conversation_id, read)
     select $1, $2, id, int8multirange(int8range(1, $3::bigint)) from topic where realm_id = $1
     on conflict (realm_id, user_id, conversation_id) do update set read = excluded.read`,
    [REALM_ID, READER_ID, MESSAGES * 0.99],
  );
}

const ALL_CHANNELS = Array.from({ length: CHANNELS }, (_, index) => index + 1);

function readerSince(fromVersion: number, channelIds = ALL_CHANNELS): Reader {
  const channels = channelIds.map((channelId): [number, ChannelReadFacts] => {
    const rights = { mayReadHistory: true, hasContentAccess: true, isPublic: true, isWebPublic: false };
    const state = {
      isSubscribed: true,
      isMuted: false,
      isArchived: false,
      isHidden: false,
      subscriptionVersion: 1_000,
    };
    return [channelId, { channelId, name: '', ...rights, ...state, intervals: [{ fromVersion }] }];
  });
  const realm = { id: REALM_ID } as Organization;
  return { userId: READER_ID, realm, channels: new Map(channels), mutedUserIds: new Set(), alertWords: [] };
}

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
}

/** How the messages are read: each way with the number of rows that it met. */
async function waysToMessages(
  reader: Reader,
  text = unreadMessages(unreadParameters(1)),
): Promise<{ way: string; rows: number }[]> {
  const [row] = await db.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
    `explain (analyze, format json) ${text}`,
    unreadValues(reader),
  );
  const nodes = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodes)];
  return nodes((row as { 'QUERY PLAN': [{ Plan: Plan }] })['QUERY PLAN'][0].Plan)
    .filter((node) => node['Relation Name'] === 'message' && node['Actual Loops'] > 0)
    .map((node) => ({
      way: `${node['Node Type']} ${node['Index Name'] ?? ''}`,
      rows: node['Actual Loops'] * (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)),
    }));
}

const MANY = { limit: 1_000_000 };
const FIRST_UNREAD = firstUnread(unreadParameters(1), {});

const idsOf = (places: UnreadPlace[]) => places.flatMap(({ messageIds }) => messageIds).sort((a, b) => a - b);
const rowsOf = (ways: { rows: number }[]) => ways.reduce((sum, { rows }) => sum + rows, 0);

async function findFirst(reader: Reader): Promise<number | null | undefined> {
  const [row] = await db.query<{ id: number | null }>(FIRST_UNREAD, unreadValues(reader));
  return row?.id;
}

test('only unread messages are read, and only from the index', async () => {
  const ways = await waysToMessages(readerSince(1));
  const unread = idsOf(await findUnread(db, readerSince(1), MANY));
  expect(unread).toHaveLength(MESSAGES / 100 + 1);
  expect(ways.map(({ way }) => way)).toContain('Index Only Scan message_of_conversation');
  expect(ways.filter(({ way }) => /Seq Scan|Bitmap/.test(way))).toEqual([]);
  expect(rowsOf(ways)).toBeLessThan(unread.length + 5 * CHANNELS);
});

test('messages of before a recent subscription are not read', async () => {
  await db.query('delete from read_exception');
  const ways = await waysToMessages(readerSince(100));
  expect(idsOf(await findUnread(db, readerSince(100), MANY))).toHaveLength(1_001);
  // The margin for messages that were stored out of the order of their versions.
  expect(rowsOf(ways)).toBeLessThan(12_000);
});

describe('the first unread message', () => {
  const unreadAll = () => db.query('delete from read_exception');

  test('is found in a few steps, however much is unread', async () => {
    await unreadAll();
    expect(await findFirst(readerSince(1))).toBe(1);
    const ways = await waysToMessages(readerSince(1), FIRST_UNREAD);
    expect(ways.filter(({ way }) => /Seq Scan/.test(way))).toEqual([]);
    expect(rowsOf(ways)).toBeLessThan(1_500);
    await db.query('insert into read_watermark values ($1, $2, $3)', [REALM_ID, READER_ID, MESSAGES / 2]);
    expect(await findFirst(readerSince(1))).toBe(MESSAGES / 2 + 1);
    expect(rowsOf(await waysToMessages(readerSince(1), FIRST_UNREAD))).toBeLessThan(1_500);
    await db.query('delete from read_watermark');
  });

  test('is found by a look into each topic where many messages of others come before it', async () => {
    const last = MESSAGES + 1_000;
    await db.query(
      `insert into topic (realm_id, id, channel_id, name, name_key, max_message_id) values ($1, 5000, 99, '', '', $2)`,
      [REALM_ID, last],
    );
    await db.query(
      `insert into message (realm_id, id, conversation_id, channel_id, sent_channel_id, sent_version, sender_id, content,
         rendered_content, sent_at, client_name, is_me_message, is_read_by_sender, mentions_channel, mentions_topic)
       select $1, m, 5000, 99, 99, 1, 2, '', '', now(), 'test', false, true, false, false
       from generate_series($2::int + 1, $3::int) as m`,
      [REALM_ID, MESSAGES, last],
    );
    expect(await findFirst(readerSince(1, [99]))).toBe(MESSAGES + 1);
    expect(rowsOf(await waysToMessages(readerSince(1, [99]), FIRST_UNREAD))).toBeLessThan(2_000);
    await db.query('delete from message where conversation_id = 5000');
    await db.query('delete from topic where id = 5000');
    expect(await findFirst(readerSince(1, [99]))).toBeNull();
  });
});

describe('of a user with more unread messages than clients get', () => {
  test('the newest are found, and at most one segment more is read', async () => {
    const { places, hasOlder } = await findNewestUnread(db, readerSince(1), { limit: 500 });
    expect(hasOlder).toBe(true);
    expect(idsOf(places)).toEqual(Array.from({ length: 500 }, (_, index) => MESSAGES - 499 + index));
    const before = db.statementCount;
    const { places: sparse } = await findNewestUnread(db, readerSince(1, [7]), { limit: 500 });
    expect(db.statementCount - before).toBeLessThan(8);
    const all = idsOf(await findUnread(db, readerSince(1, [7]), MANY));
    expect(idsOf(sparse)).toEqual(all.slice(-500));
    expect(new Set(sparse.map(({ conversationId }) => conversationId)).size).toBe(sparse.length);
  });

  test('as many as that count as too many, one fewer does not', async () => {
    const { length } = idsOf(await findUnread(db, readerSince(1, [7]), MANY));
    expect(await findNewestUnread(db, readerSince(1, [7]), { limit: length })).toMatchObject({ hasOlder: true });
    const { places, hasOlder } = await findNewestUnread(db, readerSince(1, [7]), { limit: length + 1 });
    expect([idsOf(places).length, hasOlder]).toEqual([length, false]);
  });
});

test('marking a channel moves one watermark, marking all another one, however much is unread', async () => {
  expect(idsOf(await findUnread(db, readerSince(1), MANY))).toHaveLength(MESSAGES);
  await markChannelRead(db, REALM_ID, READER_ID, 1);
  expect(idsOf(await findUnread(db, readerSince(1), MANY))).toHaveLength(MESSAGES - MESSAGES / CHANNELS);
  await readMost();
  const began = process.hrtime.bigint();
  await markAllRead(db, REALM_ID, READER_ID);
  expect(Number(process.hrtime.bigint() - began) / 1e6).toBeLessThan(100);
  expect(await findUnread(db, readerSince(1), MANY)).toEqual([]);
  expect(await db.query('select count(*) as rows from read_exception')).toEqual([{ rows: 0 }]);
});
