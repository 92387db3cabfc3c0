import type { Database } from '@parley/shared/db';
import { connectRpc } from '@parley/shared/rpc';
import { nodesOf, observed, type Plan, rowsReadIn } from '@parley/shared/testing';
import { systemClock } from '@parley/shared/values';
import { messagesReadIn, stepsIn } from '../../test/observed-plans';
import { callerOf, type MessagesUnderTest, startMessages } from '../../test/start-messages';
import { KnownReadFacts } from '../access/known-read-facts';
import { loadReader } from '../access/load-reader';
import type { Reader } from '../access/permissions';
import type { Context } from '../context';
import { listTopics } from '../conversations/conversation.sql';
import { loadShownMessages } from '../messages/shown-message.sql';
import { EVERYTHING, type Narrow } from '../narrows/narrow';
import { loadAround } from './find-around';
import { findUnread } from './find-unread.sql';

const RUNS = 12;
const MESSAGES = 20_000;
const CHANNELS = 30;

let network: MessagesUnderTest;
let reader: Reader;

beforeAll(async () => {
  network = await startMessages();
  const { realm, service } = network;
  const ann = realm.addUser('Ann');
  const channels = Array.from({ length: CHANNELS }, (_, nth) => realm.addChannel(`Plans ${nth}`));
  for (const channel of channels) realm.subscribe(channel, ann);
  await fillChannels(
    service.db,
    channels.map(({ id }) => id),
  );
  const { client, close } = connectRpc('realm', realm.address);
  reader = await loadReader({ readFacts: new KnownReadFacts(client, systemClock) }, callerOf(ann));
  close();
});
afterAll(() => network.stop());

/** Old messages of others, and new ones in the channels. */
async function fillChannels(db: Database, channelIds: number[]): Promise<void> {
  await db.query(
    `insert into message (realm_id, id, conversation_id, channel_id, sent_channel_id, sent_version, sender_id, content,
       rendered_content, sent_at, client_name, is_me_message, is_read_by_sender, mentions_channel, mentions_topic)
     select 1, i, 1 + i % 2000, channel, channel, 1, 1 + i % 7, repeat('word ', 60), '', now(), '', false, false, false, false
     from (
       select i, case when i > ${MESSAGES} - 400 or i % 10 = 0 then ($1::int[])[1 + i % ${CHANNELS}] else 1000 + floor(sqrt(i))::int end as channel
       from generate_series(1, ${MESSAGES}) i
     ) filled`,
    [channelIds],
  );
  await db.query('vacuum analyze message');
}

/** Nothing is known about the share of all messages that is in the pages of such a reader. */
const anew = (): Reader => ({ ...reader, channels: new Map(reader.channels) });

/** A reader whose page had next to none of the messages around it. */
async function quietReader(facts: Partial<Reader> = {}): Promise<Reader> {
  const quiet = { ...anew(), ...facts };
  const beforeOthers = { anchor: 1_000, numBefore: 0, numAfter: 30, includeAnchor: true };
  await loadAround(network.service, beforeOthers, { reader: quiet, narrow: EVERYTHING });
  return quiet;
}

test('the statements of a page are planned once for each connection, not for each request', async () => {
  const { service } = network;
  const newest = { anchorKind: 'newest', numBefore: 30, numAfter: 0, includeAnchor: true };
  const firstUnread = { anchorKind: 'first_unread', numBefore: 10, numAfter: 20, includeAnchor: true };
  const [channelId = 0] = reader.channels.keys();
  const scope = { kind: 'history', channelIds: [channelId] } as const;
  const inChannel = { ...EVERYTHING, scope, channelIds: [channelId] };
  const inTopic = { ...inChannel, conversations: [{ id: MESSAGES % 2000, channelId }] };
  const inDirect = { ...EVERYTHING, conversations: [{ id: 1, channelId: null }] };
  const quiet = await quietReader();
  const plans = await service.db.transaction(async (tx) => {
    for (let run = 0; run < RUNS; run += 1) {
      const load = async (around: typeof newest, narrow: Narrow, by = anew()) =>
        (await loadAround({ db: tx }, around, { reader: by, narrow })).rows;
      const rows = await load(newest, EVERYTHING);
      expect(rows).toHaveLength(30);
      expect(await load(newest, EVERYTHING, quiet)).toEqual(rows);
      expect((await load(firstUnread, EVERYTHING)).length).toBeGreaterThan(10);
      for (const narrow of [inChannel, inTopic, inDirect]) await load(newest, narrow);
      for (const { id } of rows.slice(0, 1)) await loadShownMessages(tx, 1, [id], reader.userId);
      await listTopics(tx, 1, [channelId], 'x');
    }
    return tx.query<{ name: string; custom: number }>(
      `select name, custom_plans::int as custom from pg_prepared_statements where generic_plans + custom_plans >= ${RUNS}`,
    );
  });
  expect(plans.length).toBe(10);
  expect(plans.filter(({ custom }) => custom > 0)).toEqual([]);
});

/** The anchor could be one more. */
const LOADED = Math.ceil(1.25 * 31);
const NEWEST_30 = { anchorKind: 'newest', numBefore: 30, numAfter: 0, includeAnchor: true };

async function loadObserved(
  by: Reader,
  around: Parameters<typeof loadAround>[1] = NEWEST_30,
  narrow: Narrow = EVERYTHING,
) {
  const { sql, plans } = observed(network.service.db);
  const { rows } = await loadAround({ db: sql as Context['db'] }, around, { reader: by, narrow });
  return { ids: rows.map(({ id }) => id), plans };
}

test('a page of all messages for somebody who gets them takes one statement, which reads few others', async () => {
  const { ids, plans } = await loadObserved(anew());
  expect(ids).toEqual(Array.from({ length: 30 }, (_, nth) => MESSAGES - 29 + nth));
  expect(plans).toHaveLength(1);
  expect(messagesReadIn(plans).rows).toBe(2 * LOADED);
});

test('for somebody who gets half of them, the next page takes one statement as well', async () => {
  const half = new Map([...reader.channels].filter((_, nth) => nth % 2 === 0));
  const expected = Array.from({ length: 400 }, (_, nth) => MESSAGES - nth)
    .filter((id) => (id % CHANNELS) % 2 === 0)
    .slice(0, 30)
    .reverse();
  const by: Reader = { ...reader, channels: half };
  const pages = [await loadObserved(by), await loadObserved(by)];
  expect(pages.map(({ ids }) => ids)).toEqual([expected, expected]);
  expect(pages.map(({ plans }) => plans.length)).toEqual([2, 1]);
});

test('for somebody who gets a fifth of them, that depends on the number of channels to look into instead', async () => {
  const fifth = [...reader.channels].filter((_, nth) => nth % 5 === 0);
  const empty = Array.from({ length: 200 }, (_, nth) => [10_000 + nth, { ...fifth[0]?.[1], intervals: [] }] as const);
  const indexesOf = async (channels: Map<number, unknown>) => {
    const by = { ...reader, channels } as Reader;
    const pages = [await loadObserved(by), await loadObserved(by)];
    for (const { ids } of pages) expect(ids).toEqual(Array.from({ length: 30 }, (_, nth) => MESSAGES - 145 + 5 * nth));
    return [...messagesReadIn(pages[1]?.plans ?? []).indexes];
  };
  expect(await indexesOf(new Map(fifth))).toContain('message_of_channel');
  expect(await indexesOf(new Map<number, unknown>([...fifth, ...empty]))).not.toContain('message_of_channel');
});

test('the messages of everybody are loaded in vain for few pages, even of those that are loaded at once', async () => {
  const { channels } = reader;
  const by: Reader = { ...reader, channels: new Map([...channels].slice(0, 1)) };
  const statementsOf = async () => {
    const { ids, plans } = await loadObserved(by);
    expect(ids).toHaveLength(30);
    return plans.length;
  };
  const statements: number[] = [];
  for (let page = 0; page < 17; page += 1) statements.push(await statementsOf());
  expect(statements).toEqual([2, ...Array(16).fill(1)]);
  const atOnce = await Promise.all(Array.from({ length: 60 }, statementsOf));
  expect(atOnce.toSorted()).toEqual([...Array(59).fill(1), 2]);
});

test('the first step of a page is as long as the page before suggests', async () => {
  const by = anew();
  const stepsAfter = async (anchor: number) => {
    const { ids, plans } = await loadObserved(by, { anchor, numBefore: 0, numAfter: 30, includeAnchor: false });
    expect(ids).toEqual(Array.from({ length: 30 }, (_, nth) => anchor + 10 * (nth + 1)));
    return stepsIn(plans);
  };
  expect([await stepsAfter(1_000), await stepsAfter(1_300), await stepsAfter(1_600)]).toEqual([2, 1, 1]);
});

test('a page reads nothing of the edits, renamed topics and submessages of others', async () => {
  const { db } = network.service;
  const others = 2_000;
  await db.query(
    `insert into message_edit (realm_id, message_id, edit_id, actor_id, edited_at)
     select 1, i % 200, i, 2, now() from generate_series(1, $1::int) i`,
    [others],
  );
  await db.query(
    `insert into topic_edit (realm_id, conversation_id, edit_id, actor_id, edited_at, prev_topic, topic, last_message_id)
     select 1, 10000 + i % 200, i, 2, now(), 'a', 'b', 1 from generate_series(1, $1::int) i`,
    [others],
  );
  await db.query(
    `insert into submessage (realm_id, message_id, sender_id, msg_type, content)
     select 1, i % 200, 2, 'widget', '{}' from generate_series(1, $1::int) i`,
    [others],
  );
  await db.query('vacuum analyze message_edit, topic_edit, submessage');
  const { ids, plans } = await loadObserved(anew());
  expect(ids).toHaveLength(30);
  expect(rowsReadIn(plans)).toBeLessThan(300);
});

test('marking a topic as read finds its unread messages by a statement that is planned once for each connection', async () => {
  const [channelId = 0] = reader.channels.keys();
  const inTopic = {
    channelIds: [channelId],
    conversationIds: [MESSAGES % 2000],
    fromId: 1,
    toId: MESSAGES,
    limit: 101,
  };
  const plans = await network.service.db.transaction(async (tx) => {
    for (let run = 0; run < RUNS; run += 1) await findUnread(tx, reader, inTopic);
    return tx.query<{ custom: number }>(
      `select custom_plans::int as custom from pg_prepared_statements
       where generic_plans + custom_plans = ${RUNS} and statement like '%stretch%'`,
    );
  });
  expect(plans).toEqual([{ custom: 0 }]);
});

test('what others have sent meanwhile is skipped, however much it is', async () => {
  const { db } = network.service;
  const others = 60_000;
  await db.query(
    `insert into message (realm_id, id, conversation_id, channel_id, sent_channel_id, sent_version, sender_id, content,
       rendered_content, sent_at, client_name, is_me_message, is_read_by_sender, mentions_channel, mentions_topic)
     select 1, $1::int + i, 5000, 5000, 5000, 1, 2, repeat('word ', 60), '', now(), '', false, false, false, false from generate_series(1, $2::int) i`,
    [MESSAGES, others],
  );
  await db.query('analyze message');
  const { sql, plans } = observed(db);
  const ctx = { db: sql as Context['db'] };
  const page = (numBefore: number, numAfter: number, anchor: number) =>
    loadAround(ctx, { anchor, numBefore, numAfter, includeAnchor: false }, { reader, narrow: EVERYTHING });
  const { rows: newest } = await page(30, 0, MESSAGES + others);
  expect(newest.map(({ id }) => id)).toEqual(Array.from({ length: 30 }, (_, nth) => MESSAGES - 29 + nth));
  expect((await page(0, 30, MESSAGES - 100)).rows).toHaveLength(30);
  expect(messagesReadIn(plans).rows).toBeLessThan(1_500);
  // Few messages since, and long silences between them, as when other organizations are busy.
  const gap = 300_000;
  const newestId = MESSAGES + others + 3 * gap;
  for (const id of [newestId, newestId - 100, newestId - gap]) await addMessage(db, id);
  const after = observed(db);
  const { rows } = await loadAround(
    { db: after.sql as Context['db'] },
    { anchorKind: 'newest', numBefore: 30, numAfter: 0, includeAnchor: true },
    { reader, narrow: EVERYTHING },
  );
  expect(rows.map(({ id }) => id)).toEqual([
    ...Array.from({ length: 27 }, (_, nth) => MESSAGES - 26 + nth),
    ...[newestId - gap, newestId - 100, newestId],
  ]);
  expect(messagesReadIn(after.plans).rows).toBeLessThan(1_500);
  // On both sides of such a message: one statement, with one of the longest steps.
  const around = observed(db);
  const both = await loadAround(
    { db: around.sql as Context['db'] },
    { anchor: newestId - gap, numBefore: 30, numAfter: 30, includeAnchor: true },
    { reader, narrow: EVERYTHING },
  );
  expect(both.rows.map(({ id }) => id)).toEqual([
    ...Array.from({ length: 30 }, (_, nth) => MESSAGES - 29 + nth),
    ...[newestId - gap, newestId - 100, newestId],
  ]);
  expect(around.plans).toHaveLength(1);
  expect(messagesReadIn(around.plans).rows).toBeLessThan(4_000);
});

test('a page of somebody who has joined lately takes one statement, and no look at when', async () => {
  const { db } = network.service;
  const [{ newestId }] = (await db.query('select max(id) as "newestId" from message')) as [{ newestId: number }];
  const ids = Array.from({ length: 40 }, (_, nth) => newestId + 1 + nth);
  for (const id of ids) await addMessage(db, id, 2);
  const joined = { mayReadHistory: true, subscriptionVersion: 2, intervals: [{ fromVersion: 2 }] };
  const channels = new Map([...reader.channels].map(([id, channel]) => [id, { ...channel, ...joined }]));
  const joinedLately = await quietReader({ channels });
  const { sql, plans } = observed(db);
  const { rows } = await loadAround(
    { db: sql as Context['db'] },
    { anchorKind: 'newest', numBefore: 30, numAfter: 0, includeAnchor: true },
    { reader: joinedLately, narrow: EVERYTHING },
  );
  expect(rows.map(({ id }) => id)).toEqual(ids.slice(-30));
  expect(plans).toHaveLength(1);
  // Each message of the first step, those shown, and both ends of all.
  expect(messagesReadIn(plans).rows).toBeLessThanOrEqual(ids.length + 2 + 30 + 2);
});

test('where history is protected, what was sent before somebody joined is not read, on either side of the first message', async () => {
  const { db } = network.service;
  const [{ firstId }] = (await db.query('select min(id) as "firstId" from message where sent_version = 2')) as [
    { firstId: number },
  ];
  const joined = { mayReadHistory: false, subscriptionVersion: 2, intervals: [{ fromVersion: 2 }] };
  const channels = new Map([...reader.channels].map(([id, channel]) => [id, { ...channel, ...joined }]));
  const around = { anchor: firstId, numBefore: 30, numAfter: 9, includeAnchor: true };
  const { ids, plans } = await loadObserved(await quietReader({ channels }), around);
  expect(ids).toEqual(Array.from({ length: 10 }, (_, nth) => firstId + nth));
  expect(plans).toHaveLength(1);
  expect(messagesReadIn(plans).rows).toBeLessThan(300);
});

test('of messages sent before somebody joined, it is plain that they were not received', async () => {
  const joined = { mayReadHistory: true, subscriptionVersion: 2, intervals: [{ fromVersion: 2 }] };
  const channels = new Map([...reader.channels].map(([id, channel]) => [id, { ...channel, ...joined }]));
  // More than were sent since.
  const { ids, plans } = await loadObserved(await quietReader({ channels }), { ...NEWEST_30, numBefore: 100 });
  expect(ids).toHaveLength(40);
  const isOfReceipt = (node: Plan) => node['Subplan Name'] && node['Relation Name'] === 'personal_flag';
  const receipt = plans.flatMap(nodesOf).filter(isOfReceipt);
  expect(receipt.length).toBeGreaterThan(0);
  expect(receipt.filter((node) => node['Actual Loops'] > 0)).toEqual([]);
});

test('before somebody joined a channel, a page does not look into it', async () => {
  const joinedAt = (fromVersion: number) => ({
    mayReadHistory: true,
    subscriptionVersion: 2,
    intervals: [{ fromVersion }],
  });
  const channels = new Map(
    [...reader.channels].map(([id, channel], nth) => [id, { ...channel, ...joinedAt(nth === 1 ? 1 : 2) }]),
  );
  const { plans } = await loadObserved(await quietReader({ channels }), { ...NEWEST_30, numBefore: 1_000 });
  const looks = plans.flatMap(nodesOf).filter((node) => node['Index Name'] === 'message_of_channel');
  const count = looks.reduce((sum, node) => sum + node['Actual Loops'], 0);
  expect(Math.max(...plans.map((plan) => stepsIn([plan])))).toBeGreaterThan(2);
  // The first step of each of two statements looks into all.
  expect(count).toBeLessThan(3 * CHANNELS);
});

const addMessage = (db: Database, id: number, version = 1) =>
  db.query(
    `insert into message (realm_id, id, conversation_id, channel_id, sent_channel_id, sent_version, sender_id, content,
       rendered_content, sent_at, client_name, is_me_message, is_read_by_sender, mentions_channel, mentions_topic)
     values (1, $1, 1, $2, $2, $3, 2, repeat('word ', 60), '', now(), '', false, false, false, false)`,
    [id, [...reader.channels.keys()][0], version],
  );

test('a page around a message in some of hundreds of channels', async () => {
  const few = [...reader.channels.keys()].slice(0, 2);
  const channelIds = [...few, ...Array.from({ length: 100 }, (_, nth) => 900_000 + nth)];
  const narrow: Narrow = { ...EVERYTHING, scope: { kind: 'history', channelIds }, channelIds };
  const expected = await network.service.db.query<{ id: number }>(
    `(select id from message where channel_id = any($1) and id < 9000 order by id desc limit 10)
     union all (select id from message where channel_id = any($1) and id > 9000 order by id limit 10) order by id`,
    [few],
  );
  const around = { anchor: 9_000, numBefore: 10, numAfter: 10, includeAnchor: false };
  const { ids } = await loadObserved(await quietReader(), around, narrow);
  expect(ids).toEqual(expected.map(({ id }) => id));
});

test('a page of a topic reads it by the ids of its messages: the planner sees no list of topics', async () => {
  const [channelId = 0] = reader.channels.keys();
  const scope = { kind: 'history', channelIds: [channelId] } as const;
  const narrow = { ...EVERYTHING, scope, channelIds: [channelId], conversations: [{ id: MESSAGES % 2000, channelId }] };
  const { plans } = await loadObserved(anew(), NEWEST_30, narrow);
  const found = plans.flatMap(nodesOf).filter((node) => node['Index Name'] === 'message_of_conversation');
  expect(found.map((node) => node['Index Cond'])).toEqual([
    '((realm_id = $1) AND (conversation_id = s.id) AND (id <= $2))',
  ]);
});

test('a page of hundreds of conversations compares no message with each of them', async () => {
  const { db } = network.service;
  const ids = Array.from({ length: 400 }, (_, nth) => 1 + nth);
  await db.query(
    `insert into direct_conversation (realm_id, id, participant_ids, max_message_id)
     select 1, d.id, array[$2::bigint, 1000 + d.id], (select max(m.id) from message m where m.conversation_id = d.id)
     from unnest($1::bigint[]) as d (id)`,
    [ids, reader.userId],
  );
  await db.query('analyze direct_conversation');
  const narrow = { ...EVERYTHING, conversations: ids.map((id) => ({ id, channelId: null })) };
  for (const around of [NEWEST_30, { ...NEWEST_30, anchorKind: 'first_unread', numAfter: 30 }]) {
    const { ids: found, plans } = await loadObserved(anew(), around, narrow);
    expect(found.length).toBeGreaterThanOrEqual(30);
    const filters = plans.flatMap(nodesOf).map((node) => node.Filter ?? '');
    expect(filters.filter((filter) => /(?:conversation_id|\bid) = ANY \(\$/.test(filter))).toEqual([]);
  }
});
