import type { Sql } from '@parley/shared/db';
import type { TestDatabase } from '@parley/shared/testing';
import { observed, pagesReadIn, rowsReadIn } from '@parley/shared/testing';
import { pairsComparedIn } from '../../test/observed-plans';
import { openTestDatabase } from '../../test/open-test-database';
import { loadMessages } from '../messages/message.sql';
import { loadShownMessages } from '../messages/shown-message.sql';
import { loadPlaces } from '../reminders/places.sql';
import { loadConversations } from '../search/find-unread.sql';
import { loadMarkable } from './markable.sql';
import { UNREADING } from './update-flags';

/** Few enough that reading all of them seems cheap to the planner. */
const DIRECT_CONVERSATIONS = 150;
const READER = 9;
const OF_READER = { realmId: 1, userId: READER };
/** Of the reader, on other messages. */
const MARKS = 4_000;
const PAGE = Array.from({ length: 30 }, (_, nth) => 1 + nth);
const UNREAD = PAGE.map((id) => ({ conversationId: 1, channelId: 1, messageIds: [id] }));

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase(1);
  const { db } = database;
  await db.query(
    `insert into topic (realm_id, id, channel_id, name, name_key, max_message_id) values (1, 1, 1, 'a', 'a', 5000)`,
  );
  await db.query(
    `insert into direct_conversation (realm_id, id, participant_ids, max_message_id)
     select 1, 1000 + d, array[${READER}, ${READER} + d], 6000 from generate_series(1, ${DIRECT_CONVERSATIONS}) d`,
  );
  await db.query(
    `insert into message (realm_id, id, conversation_id, channel_id, sent_channel_id, sent_version, sender_id, content,
       rendered_content, sent_at, client_name, is_me_message, is_read_by_sender, mentions_channel, mentions_topic)
     select 1, m, case when m <= 5000 then 1 else 1001 end, case when m <= 5000 then 1 end, case when m <= 5000 then 1 end,
       case when m <= 5000 then 1 end, 2, repeat('word ', 60), '', now(), 'test', false, false, false, false from generate_series(1, 6000) as m`,
  );
  await db.query('vacuum analyze');
});
afterAll(() => database.close());

test.each<[string, (sql: Sql) => Promise<unknown[]>]>([
  ['a page to show', (sql) => loadShownMessages(sql, 1, PAGE, READER)],
  ['where messages with reminders are', (sql) => loadPlaces(sql, 1, PAGE)],
  ['where messages are unread', (sql) => loadConversations(sql, 1, UNREAD)],
])('for messages of channels, %s is loaded without reading direct conversations', async (_, load) => {
  const { sql, plans } = observed(database.db);
  expect((await load(sql)).length).toBeGreaterThan(0);
  expect(rowsReadIn(plans)).toBeLessThan(DIRECT_CONVERSATIONS);
});

test('messages are loaded without reading the reader’s marks on others', async () => {
  const { db } = database;
  const later = PAGE.map((id) => id + MARKS);
  // Most users have few: the planner expects no more of the reader.
  const marks = `(select ${READER} as user_id, nth from generate_series(1, ${MARKS}) as nth
    union all select 100 + nth, nth from generate_series(1, ${MARKS}) as nth) as mark`;
  await db.query(
    `insert into read_exception (realm_id, user_id, conversation_id, read) select 1, user_id, 10000 + nth, '{[1,5)}' from ${marks}`,
  );
  await db.query(
    `insert into personal_flag (realm_id, user_id, message_id, is_starred) select 1, user_id, nth, true from ${marks}`,
  );
  await db.query(`insert into mention (realm_id, user_id, message_id) select 1, user_id, nth from ${marks}`);
  await db.query(
    `insert into topic_policy (realm_id, user_id, channel_id, name_key, name, policy, updated_at)
     select 1, user_id, 2, nth::text, nth::text, 1, now() from ${marks}`,
  );
  await db.query('vacuum analyze');
  const [toMark, toLoad] = [observed(db), observed(db)];
  expect(await loadMarkable(toMark.sql, OF_READER, later, UNREADING)).toHaveLength(PAGE.length);
  expect(await loadMessages(toLoad.sql, 1, later, READER)).toHaveLength(PAGE.length);
  expect([toMark, toLoad].map(({ plans }) => rowsReadIn(plans)).filter((rows) => rows >= MARKS)).toEqual([]);
});

test('thousands of messages of many topics are not compared with each mark of the reader', async () => {
  const { db } = database;
  const many = Array.from({ length: 2_000 }, (_, nth) => 7_001 + nth);
  await db.query(
    `insert into message (realm_id, id, conversation_id, channel_id, sent_channel_id, sent_version, sender_id, content,
       rendered_content, sent_at, client_name, is_me_message, is_read_by_sender, mentions_channel, mentions_topic)
     select 1, m, 20000 + m, 50 + m % 200, 50 + m % 200, 1, 2, repeat('word ', 60), '', now(), 'test', false, false, false, false from unnest($1::bigint[]) as m`,
    [many],
  );
  await db.query(
    `insert into read_exception (realm_id, user_id, conversation_id, read)
     select 1, ${READER}, 20000 + m, int8multirange(int8range(m, m + 1)) from unnest($1::bigint[]) as m`,
    [many],
  );
  await db.query(
    `insert into channel_read_watermark (realm_id, user_id, channel_id, message_id)
     select 1, ${READER}, c, 1 from generate_series(50, 249) as c`,
  );
  for (const table of ['mention (realm_id, user_id, message_id)', 'personal_flag (realm_id, user_id, message_id)']) {
    await db.query(`insert into ${table} select 1, ${READER}, m from unnest($1::bigint[]) as m`, [many]);
  }
  await db.query('vacuum analyze');
  const { sql, plans } = observed(db);
  const loaded = await loadMarkable(sql, OF_READER, many, UNREADING);
  expect(await loadMessages(sql, 1, many, READER)).toHaveLength(many.length);
  expect(loaded.map(({ isMarkedRead }) => isMarkedRead)).toEqual(many.map(() => true));
  expect(pairsComparedIn(plans)).toBe(0);
});

test('of a topic with thousands of ranges that are marked, these are loaded once, not for each message', async () => {
  const { db } = database;
  const ids = Array.from({ length: 1_000 }, (_, nth) => 1 + nth);
  await db.query(
    `insert into read_exception (realm_id, user_id, conversation_id, read)
     select 1, ${READER}, 1, range_agg(int8range(2 * nth, 2 * nth + 1)) from generate_series(1, 5000) as nth`,
  );
  const { sql, plans } = observed(db);
  const loaded = await loadMarkable(sql, OF_READER, ids, UNREADING);
  expect(loaded.map(({ id }) => id)).toEqual(ids);
  expect(loaded.map(({ isMarkedRead }) => isMarkedRead)).toEqual(ids.map((id) => id % 2 === 0));
  // A few for each message: it, its flags and its mention.
  expect(pagesReadIn(plans)).toBeLessThan(12 * ids.length);
});

test('direct messages are loaded with their participants, wherever they are shown', async () => {
  const { db } = database;
  const participantIds = [READER, READER + 1];
  const loaded = [
    ...(await loadMarkable(db, OF_READER, [5001], UNREADING)),
    ...(await loadMessages(db, 1, [5001], READER)),
    ...(await loadShownMessages(db, 1, [5001], READER)),
    ...(await loadConversations(db, 1, [{ conversationId: 1001, channelId: null, messageIds: [5001] }])),
  ];
  expect(loaded.map((each) => each.participantIds)).toEqual([
    participantIds,
    participantIds,
    participantIds,
    participantIds,
  ]);
});

test('to be marked as read, messages are loaded without their topics', async () => {
  const { db } = database;
  const [read, unread] = [observed(db), observed(db)];
  await loadMarkable(read.sql, OF_READER, PAGE, { op: 'add', flag: 'read' });
  await loadMarkable(unread.sql, OF_READER, PAGE, UNREADING);
  expect(rowsReadIn(read.plans)).toBeLessThan(rowsReadIn(unread.plans));
});
