import type { TestDatabase } from '@parley/shared/testing';
import { observed, rowsReadIn } from '@parley/shared/testing';
import { openTestDatabase } from '../../test/open-test-database';
import { loadFlagsOfUsers } from './personal-flags.sql';

const READERS = 20_000;
const MESSAGE = { realmId: 1, messageId: 5 };

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
  await fill();
}, 60_000);
afterAll(() => database.close());

/** All users have marks in its topic, watermarks past the message, and have starred it; a few have marked it as unread. */
async function fill(): Promise<void> {
  const { db } = database;
  await db.query(
    `insert into message (realm_id, id, conversation_id, channel_id, sent_channel_id, sent_version, sender_id, content,
       rendered_content, sent_at, client_name, is_me_message, is_read_by_sender, mentions_channel, mentions_topic)
     select 1, m, 9, 7, 7, 1, 2, repeat('word ', 60), '', now(), 'test', false, false, false, false from generate_series(1, 5000) as m`,
  );
  await db.query(
    `insert into read_exception (realm_id, user_id, conversation_id, unread)
     select 1, u, 9, case when u % 100 = 0 then int8multirange(int8range(5, 6)) else '{}' end from generate_series(1, $1::int) as u`,
    [READERS],
  );
  await db.query('insert into read_watermark select 1, u, 5000 from generate_series(1, $1::int) as u', [READERS]);
  await db.query('insert into channel_read_watermark select 1, u, 7, 5000 from generate_series(1, $1::int) as u', [
    READERS,
  ]);
  await db.query(
    'insert into personal_flag (realm_id, user_id, message_id, is_starred) select 1, u, 5, true from generate_series(1, $1::int) as u',
    [READERS],
  );
  await db.query('vacuum analyze');
}

const questionsOf = (userCount: number) =>
  Array.from({ length: userCount }, (_, index) => ({ ...MESSAGE, userId: 91 + index }));

test.each([1, 20, 1_000])(
  'of twenty thousand who have read a message only those are looked at who are asked about, be they %d',
  async (userCount) => {
    const { sql, plans } = observed(database.db);
    await loadFlagsOfUsers(sql, questionsOf(userCount));
    const met = rowsReadIn(plans);
    expect(met).toBeGreaterThan(userCount);
    expect(met).toBeLessThanOrEqual(5 * userCount);
  },
);

test('flags are right beyond the first ten thousand users with flags', async () => {
  const users = [1, 100, 15_000, 19_999, 20_000, 20_001];
  const flags = await loadFlagsOfUsers(
    database.db,
    users.map((userId) => ({ ...MESSAGE, userId })),
  );
  expect(flags.map(({ isPassed, isMarkedUnread, isStarred }) => [isPassed, isMarkedUnread, isStarred])).toEqual([
    [true, false, true],
    [true, true, true],
    [true, true, true],
    [true, false, true],
    [true, true, true],
    [false, false, false],
  ]);
});
