import type { AnyStatement, Sql } from '@parley/shared/db';
import type { TestDatabase } from '@parley/shared/testing';
import { openTestDatabase } from '../../test/open-test-database';
import { listResolvedTopics } from './scope.sql';

let database: TestDatabase;

/** A hundred in each of two hundred channels, the first one of them resolved. */
beforeAll(async () => {
  database = await openTestDatabase();
  await database.db.query(
    `insert into topic (realm_id, id, channel_id, name, name_key, max_message_id)
     select 1, 100 * c + t, c, name, lower(name), 1 from generate_series(1, 200) c, generate_series(1, 100) t
     cross join lateral (select case when t = 1 then '✔ ' else '' end || 'topic ' || t as name) as named`,
  );
  await database.db.query('vacuum analyze topic');
});

afterAll(() => database.close());

test('the resolved topics of some channels are listed, unless they are many', async () => {
  const list = (most: number) => listResolvedTopics(database.db, 1, [7, 9, 500], most);
  expect((await list(2))?.sort()).toEqual([701, 901]);
  expect(await list(1)).toBeNull();
});

test('no other topics are looked at', async () => {
  const plans: string[] = [];
  const explained: Sql = {
    query: async <Row>(sql: AnyStatement<Row>, values?: readonly unknown[]): Promise<Row[]> => {
      const text = typeof sql === 'string' ? sql : sql.text;
      const rows = await database.db.query<{ 'QUERY PLAN': string }>(`explain ${text}`, values);
      plans.push(...rows.map((row) => row['QUERY PLAN']));
      return [];
    },
  };
  await listResolvedTopics(explained, 1, [7, 9], 1_000);
  expect(plans.join('\n')).toContain('topic_resolved');
});
