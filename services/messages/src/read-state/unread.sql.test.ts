import type { Database } from '@parley/shared/db';
import { flagsChanged } from '@parley/shared/events';
import type { ChannelReadFacts, Organization } from '@parley/shared/proto';
import type { TestDatabase } from '@parley/shared/testing';
import { observed, type Plan } from '@parley/shared/testing';
import { messagesReadIn, pairsComparedIn } from '../../test/observed-plans';
import { openTestDatabase } from '../../test/open-test-database';
import type { Reader } from '../access/permissions';
import type { Context } from '../context';
import { EVERYTHING } from '../narrows/narrow';
import { findFirstUnread } from '../search/find-around';
import { findNewestUnread } from '../search/find-nearest-unread';
import { findUnread, type UnreadPlace } from '../search/find-unread.sql';
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

/** Messages in turn to every topic, one a minute; the reader has read all but the newest hundredth. */
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
     select $1, m, t.id, t.channel_id, t.channel_id, 1 + m / 1000, 2, repeat('word ', 60), '', now() - ($3::int - m) * interval '1 minute', 'test',
       false, true, false, false
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

/** How the messages are read: each way with the number of rows that it met. */
async function waysToMessages(reader: Reader): Promise<{ way: string; rows: number }[]> {
  const { sql, plans } = observed(db);
  await sql.query(unreadMessages(unreadParameters(1)), unreadValues(reader));
  const nodes = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodes)];
  return plans
    .flatMap(nodes)
    .filter((node) => node['Relation Name'] === 'message' && node['Actual Loops'] > 0)
    .map((node) => ({
      way: `${node['Node Type']} ${node['Index Name'] ?? ''}`,
      rows: node['Actual Loops'] * (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)),
    }));
}

const MANY = { limit: 1_000_000 };

const idsOf = (places: UnreadPlace[]) => places.flatMap(({ messageIds }) => messageIds).sort((a, b) => a - b);
const rowsOf = (ways: { rows: number }[]) => ways.reduce((sum, { rows }) => sum + rows, 0);

/** The first unread message, how many messages were read to find it, and by how many statements. */
async function findFirst(reader: Reader) {
  // Plans that suit any values: those of prepared statements.
  return db.transaction(async (tx) => {
    await tx.query('set local plan_cache_mode = force_generic_plan');
    const { sql, plans } = observed(tx);
    const id = await findFirstUnread({ db: sql as Context['db'] }, { reader, narrow: EVERYTHING }, () => 'true');
    return { id, statements: plans.length, pairs: pairsComparedIn(plans), ...messagesReadIn(plans) };
  });
}

test('only unread messages are read, and only from the index', async () => {
  const ways = await waysToMessages(readerSince(1));
  const unread = idsOf(await findUnread(db, readerSince(1), MANY));
  expect(unread).toHaveLength(MESSAGES / 100 + 1);
  expect(ways.map(({ way }) => way)).toContain('Index Only Scan message_of_conversation');
  expect(ways.filter(({ way }) => /Seq Scan|Bitmap/.test(way))).toEqual([]);
  expect(rowsOf(ways)).toBeLessThan(unread.length + 15 * CHANNELS);
});

test('messages of before a recent subscription are not read', async () => {
  await db.query('delete from read_exception');
  const ways = await waysToMessages(readerSince(100));
  expect(idsOf(await findUnread(db, readerSince(100), MANY))).toHaveLength(1_001);
  // With the margin for messages that were stored out of the order of their versions.
  expect(rowsOf(ways)).toBeLessThan(1_001 + 20 * CHANNELS);
});

describe('the first unread message', () => {
  const unreadAll = () => db.query('delete from read_exception');

  test('is found in a few steps, however much is unread', async () => {
    await unreadAll();
    const { id, rows, types, statements } = await findFirst(readerSince(1));
    expect([id, statements]).toEqual([1, 1]);
    expect(types).not.toContain('Seq Scan');
    expect(rows).toBeLessThan(300);
    await db.query('insert into read_watermark values ($1, $2, $3)', [REALM_ID, READER_ID, MESSAGES / 2]);
    const later = await findFirst(readerSince(1));
    expect(later.id).toBe(MESSAGES / 2 + 1);
    expect(later.rows).toBeLessThan(300);
    await db.query('delete from read_watermark');
  });

  test('is found in a few steps, also where the channels of others are many', async () => {
    await unreadAll();
    const others = 300;
    await db.query(
      `insert into message (realm_id, id, conversation_id, channel_id, sent_channel_id, sent_version, sender_id, content,
         rendered_content, sent_at, client_name, is_me_message, is_read_by_sender, mentions_channel, mentions_topic)
       select $1, $2::int + c, 6000, 6000 + c, 6000 + c, 1, 2, repeat('word ', 60), '', now(), 'test', false, true, false, false
       from generate_series(1, $3::int) as c`,
      [REALM_ID, MESSAGES, others],
    );
    await db.query('analyze message');
    await db.query('insert into read_watermark values ($1, $2, $3)', [REALM_ID, READER_ID, MESSAGES / 2]);
    const { id, rows, types } = await findFirst(readerSince(1));
    expect(id).toBe(MESSAGES / 2 + 1);
    expect(rows).toBeLessThan(CHANNELS * 5);
    expect(types).not.toContain('Seq Scan');
    await db.query('delete from read_watermark');
    await db.query('delete from message where id > $1', [MESSAGES]);
    await db.query('analyze message');
  });

  test('of many channels is found without a look into each', async () => {
    const many = [...ALL_CHANNELS, ...Array.from({ length: 100 }, (_, index) => 1_000 + index)];
    const { id, rows, statements } = await findFirst(readerSince(2, many));
    expect([id, statements]).toEqual([1_000, 1]);
    expect(rows).toBeLessThan(1_100);
    await db.query('insert into read_watermark values ($1, $2, $3)', [REALM_ID, READER_ID, MESSAGES / 2]);
    const later = await findFirst(readerSince(2, many));
    expect(later.id).toBe(MESSAGES / 2 + 1);
    expect(later.rows).toBeLessThan(10);
    await db.query('update read_watermark set message_id = $1', [MESSAGES]);
    const none = await findFirst(readerSince(2, many));
    expect([none.id, none.statements]).toEqual([null, 1]);
    expect(none.rows).toBeLessThan(10);
    await db.query('delete from read_watermark');
  });

  test('of many channels is looked for from where the reader joined on, where many messages of others come before', async () => {
    const many = [...ALL_CHANNELS, ...Array.from({ length: 100 }, (_, index) => 1_000 + index)];
    const { id, rows, statements } = await findFirst(readerSince(1 + (MESSAGES * 0.8) / 1_000, many));
    expect([id, statements]).toEqual([MESSAGES * 0.8, 1]);
    expect(rows).toBeLessThan(2_000 + CHANNELS * 15);
  });

  test('is looked for from where the reader joined on, however much others sent before', async () => {
    const { id, rows, statements } = await findFirst(readerSince(1 + (MESSAGES * 0.8) / 1_000));
    expect([id, statements]).toEqual([MESSAGES * 0.8, 1]);
    expect(rows).toBeLessThan(CHANNELS * 15);
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
       select $1, m, 5000, 99, 99, 1, 2, repeat('word ', 60), '', now() + m * interval '1 minute', 'test', false, true, false, false
       from generate_series($2::int + 1, $3::int) as m`,
      [REALM_ID, MESSAGES, last],
    );
    const { id, rows } = await findFirst(readerSince(1, [99]));
    expect(id).toBe(MESSAGES + 1);
    expect(rows).toBeLessThan(2_500);
    await db.query('delete from message where conversation_id = 5000');
    await db.query('delete from topic where id = 5000');
    expect(await findFirst(readerSince(1, [99]))).toMatchObject({ id: null });
  });

  test('is found without reading much of many direct conversations that are read', async () => {
    const [conversations, each, userId] = [100, 50, 9];
    const ids = [REALM_ID, userId, MESSAGES, conversations, each];
    await db.query(
      `insert into direct_conversation (realm_id, id, participant_ids, max_message_id)
       select $1, 9000 + d, array[$2::bigint, 100 + d], $3::int + $4::int * $5::int from generate_series(1, $4::int) as d`,
      ids,
    );
    await db.query(
      `insert into message (realm_id, id, conversation_id, sender_id, content, rendered_content, sent_at, client_name,
         is_me_message, is_read_by_sender, mentions_channel, mentions_topic)
       select $1, $2::int + m, 9001 + m % $3::int, 2, repeat('word ', 60), '', now(), 'test', false, true, false, false
       from generate_series(1, $3::int * $4::int) as m`,
      [REALM_ID, MESSAGES, conversations, each],
    );
    await db.query(
      `insert into read_exception (realm_id, user_id, conversation_id, read)
       select $1, $2, 9000 + d, int8multirange(int8range(1, $3::bigint * 2)) from generate_series(1, $4::int) as d`,
      [REALM_ID, userId, MESSAGES, conversations],
    );
    await db.query('analyze message, direct_conversation, read_exception');
    const { id, rows, pairs, statements } = await findFirst({ ...readerSince(1, [1]), userId });
    expect([id, statements]).toEqual([CHANNELS - 1, 1]);
    expect(pairs).toBeLessThan(1_000);
    // A few of each, and once more to find that there are others.
    expect(rows).toBeLessThan(conversations * 20);
    await db.query('delete from message where conversation_id > 9000');
    await db.query('delete from read_exception where user_id = $1', [userId]);
    await db.query('delete from direct_conversation');
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
  const reader = { realmId: REALM_ID, userId: READER_ID };
  await markChannelRead(db, { ...reader, id: 1, toId: MESSAGES });
  expect(idsOf(await findUnread(db, readerSince(1), MANY))).toHaveLength(MESSAGES - MESSAGES / CHANNELS);
  await readMost();
  const event = flagsChanged(REALM_ID, { userId: READER_ID, op: 'add', flag: 'read', messageIds: [], isAll: true });
  const began = process.hrtime.bigint();
  await markAllRead(db, REALM_ID, READER_ID, event);
  expect(Number(process.hrtime.bigint() - began) / 1e6).toBeLessThan(100);
  expect(await findUnread(db, readerSince(1), MANY)).toEqual([]);
  expect(await db.query('select count(*) as rows from read_exception')).toEqual([{ rows: 0 }]);
});
