import type { Database } from '@parley/shared/db';
import { connectRpc } from '@parley/shared/rpc';
import { systemClock } from '@parley/shared/values';
import { messagesReadIn, observed } from '../../test/observed-plans';
import { callerOf, type MessagesUnderTest, startMessages } from '../../test/start-messages';
import { KnownReadFacts } from '../access/known-read-facts';
import { loadReader } from '../access/load-reader';
import type { Reader } from '../access/permissions';
import type { Context } from '../context';
import { listTopics } from '../conversations/conversation.sql';
import { loadShownMessages } from '../messages/shown-message.sql';
import { EVERYTHING, type Narrow } from '../narrows/narrow';
import { loadAround, NEWEST, wantedPage } from './find-around';
import { findUnread } from './find-unread.sql';
import { loadPageByWindows } from './load-page.sql';

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
     select 1, i, 1 + i % 2000, channel, channel, 1, 1 + i % 7, '', '', now(), '', false, false, false, false
     from (
       select i, case when i > ${MESSAGES} - 400 or i % 10 = 0 then ($1::int[])[1 + i % ${CHANNELS}] else 1000 + floor(sqrt(i))::int end as channel
       from generate_series(1, ${MESSAGES}) i
     ) filled`,
    [channelIds],
  );
  await db.query('vacuum analyze message');
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
  const plans = await service.db.transaction(async (tx) => {
    for (let run = 0; run < RUNS; run += 1) {
      const load = async (around: typeof newest, narrow: Narrow) =>
        (await loadAround({ db: tx }, around, { reader, narrow })).rows;
      const rows = await load(newest, EVERYTHING);
      expect(rows).toHaveLength(30);
      expect((await load(firstUnread, EVERYTHING)).length).toBeGreaterThan(10);
      for (const narrow of [inChannel, inTopic, inDirect]) await load(newest, narrow);
      for (const { id } of rows.slice(0, 1)) await loadShownMessages(tx, 1, [id], reader.userId);
      await loadPageByWindows(tx, { reader, narrow: EVERYTHING }, wantedPage(newest, { reader }, NEWEST));
      await listTopics(tx, 1, [channelId], 'x');
    }
    return tx.query<{ name: string; custom: number }>(
      `select name, custom_plans::int as custom from pg_prepared_statements where generic_plans + custom_plans >= ${RUNS}`,
    );
  });
  expect(plans.length).toBe(9);
  expect(plans.filter(({ custom }) => custom > 0)).toEqual([]);
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
     select 1, $1::int + i, 5000, 5000, 5000, 1, 2, '', '', now(), '', false, false, false, false from generate_series(1, $2::int) i`,
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
  const { sql, plans } = observed(db);
  const { rows } = await loadAround(
    { db: sql as Context['db'] },
    { anchorKind: 'newest', numBefore: 30, numAfter: 0, includeAnchor: true },
    { reader: { ...reader, channels }, narrow: EVERYTHING },
  );
  expect(rows.map(({ id }) => id)).toEqual(ids.slice(-30));
  expect(plans).toHaveLength(1);
  // Each message of the first step, those shown, and both ends of all.
  expect(messagesReadIn(plans).rows).toBeLessThanOrEqual(ids.length + 2 + 30 + 2);
});

const addMessage = (db: Database, id: number, version = 1) =>
  db.query(
    `insert into message (realm_id, id, conversation_id, channel_id, sent_channel_id, sent_version, sender_id, content,
       rendered_content, sent_at, client_name, is_me_message, is_read_by_sender, mentions_channel, mentions_topic)
     values (1, $1, 1, $2, $2, $3, 2, '', '', now(), '', false, false, false, false)`,
    [id, [...reader.channels.keys()][0], version],
  );
