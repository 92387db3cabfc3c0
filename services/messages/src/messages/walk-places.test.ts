import type { ChannelReadFacts } from '@parley/shared/proto';
import { openTestDatabase } from '../../test/open-test-database';
import { EVERYTHING } from '../narrows/narrow';
import type { Direction, Sources } from './find-messages.sql';
import type { Reader } from './permissions';
import { walkPlaces } from './walk-places';

/** Far apart, as where others write a lot in between. */
const IDS = [5, 40_000, 300_000, 310_000, 2_000_000, 9_000_000];

let database: Awaited<ReturnType<typeof openTestDatabase>>;

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
const places: Sources = { channelIds: [1], conversationIds: [], formerChannelIds: [], hasHistorical: false };

function walk(direction: Direction, fromId: number, limit: number, hits = Number.POSITIVE_INFINITY) {
  const range = { realmId: 1, direction, fromId, limit };
  return walkPlaces(database, { reader, narrow: EVERYTHING }, range, places, hits);
}

test.each<[Direction, number, number, number[]]>([
  ['before', 10_000_000, 10, [...IDS].reverse()],
  ['before', 10_000_000, 3, [9_000_000, 2_000_000, 310_000]],
  ['before', 309_999, 10, [300_000, 40_000, 5]],
  ['after', 1, 10, IDS],
  ['after', 40_001, 2, [300_000, 310_000]],
  ['after', 9_000_001, 10, []],
])('%s %d come at most %d, in that order: %j', async (direction, fromId, limit, ids) => {
  expect(await walk(direction, fromId, limit)).toMatchObject({ ids, isDone: true });
});

test('is given up where an index leads to few, and tells where to go on', async () => {
  expect(await walk('before', 9_000_000, 10, 100)).toMatchObject({ ids: [], isDone: false });
  const walked = await walk('before', 9_000_000, 10, 10_000);
  expect(walked).toMatchObject({ ids: [9_000_000], isDone: false, next: { limit: 9 } });
  expect(walked.next.fromId).toBeLessThan(9_000_000);
});
