import type { ChannelReadFacts } from '@parley/shared/proto';
import type { TestDatabase } from '@parley/shared/testing';
import { openTestDatabase } from '../../test/open-test-database';
import type { Reader } from '../access/permissions';
import { hasId } from '../narrows/conditions.sql';
import { EVERYTHING } from '../narrows/narrow';
import type { Direction } from './search-query.sql';
import type { Sources } from './sources.sql';
import { walkPlaces } from './walk.sql';

/** Far apart, as where others write a lot in between. */
const IDS = [5, 40_000, 300_000, 310_000, 2_000_000, 9_000_000];

let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
  await database.db.query(
    `insert into message (realm_id, id, conversation_id, channel_id, sent_channel_id, sent_version, sender_id, content,
       rendered_content, sent_at, client_name, is_me_message, is_read_by_sender, mentions_channel, mentions_topic)
     select 1, id, 10, 1, 1, 1, 1, '', '', now(), '', false, false, false, false from unnest($1::bigint[]) as id`,
    [IDS],
  );
});

afterAll(() => database.close());

const lobby = { channelId: 1, hasContentAccess: true, intervals: [{ fromVersion: 0 }] } as ChannelReadFacts;
const reader = { userId: 1, realm: { id: 1 }, channels: new Map([[1, lobby]]) } as unknown as Reader;
const places: Sources = {
  channelIds: [1],
  conversationIds: [],
  hasDirects: false,
  formerChannelIds: [],
  hasHistorical: false,
};

const NEVER = Number.POSITIVE_INFINITY;
const narrowTo = (ids: number[]) => ({ ...EVERYTHING, conditions: [hasId(ids)] });

function walk(direction: Direction, fromId: number, limit: number, { narrow = EVERYTHING, mostScanned = NEVER } = {}) {
  const range = { realmId: 1, direction, fromId, limit };
  return walkPlaces(database.db, { reader, narrow }, range, places, { firstSpan: 2_000, mostScanned });
}

test.each<[Direction, number, number, number[]]>([
  ['before', 10_000_000, 10, [...IDS].reverse()],
  ['before', Number.MAX_SAFE_INTEGER, 3, [9_000_000, 2_000_000, 310_000]],
  ['before', 309_999, 10, [300_000, 40_000, 5]],
  ['after', 0, 10, IDS],
  ['after', 40_001, 2, [300_000, 310_000]],
  ['after', 9_000_001, 10, []],
  ['before', 4, 10, []],
])('%s %d come at most %d, in that order: %j', async (direction, fromId, limit, ids) => {
  const before = database.db.statementCount;
  expect(await walk(direction, fromId, limit)).toMatchObject({ ids, isDone: true });
  expect(database.db.statementCount - before).toBe(1);
});

test('all that is meant is found among others, from both ends', async () => {
  const narrow = narrowTo([5, 310_000]);
  expect(await walk('after', 0, 10, { narrow })).toMatchObject({ ids: [5, 310_000], isDone: true });
  expect(await walk('before', 10_000_000, 1, { narrow })).toMatchObject({ ids: [310_000], isDone: true });
});

test('is given up after as many messages as an index leads to, and answers where to continue', async () => {
  const narrow = narrowTo([9_000_000, 5]);
  const walked = await walk('before', 9_000_000, 10, { narrow, mostScanned: 1 });
  expect(walked).toMatchObject({ ids: [9_000_000], isDone: false, next: { limit: 9 } });
  expect(walked.next.fromId).toBe(9_000_000 - 2_000);
});
