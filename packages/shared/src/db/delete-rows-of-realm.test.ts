import { testServers } from '../testing';
import { type Database, openDatabase } from './database';
import { deleteRowsOfRealm } from './delete-rows-of-realm';

const ROWS = 20_000;
let db: Database;

beforeAll(async () => {
  db = openDatabase({ url: testServers().databaseUrl, poolSize: 1, applicationName: 'test' });
  await db.query('create table owned (realm_id bigint, id bigint, text text, primary key (realm_id, id))');
  await db.query('alter table owned set (autovacuum_enabled = false)');
  await db.query(
    `insert into owned select realm, id, 'soup' from generate_series(1, 2) realm, generate_series(1, ${ROWS}) id`,
  );
  await db.query('analyze owned');
});
afterAll(async () => {
  await db.query('drop table owned');
  await db.close();
});

/** Rows that were read by reading the whole table. */
async function readInSequence(): Promise<number | undefined> {
  // PostgreSQL counts rows with a delay.
  await db.query('select pg_stat_force_next_flush()');
  const [row] = await db.query<{ count: number }>(
    `select seq_tup_read as count from pg_stat_user_tables where relname = 'owned'`,
  );
  return row?.count;
}

test('an emptied table is not read for each further batch, and settings are as before', async () => {
  const before = await readInSequence();
  let deleted = 0;
  for (;;) {
    const batch = await deleteRowsOfRealm(db, [{ table: 'owned', only: `text = 'soup'` }], 2, 1_000);
    if (batch.isComplete) break;
    deleted += batch.deleted;
  }
  expect(deleted).toBe(ROWS);
  expect(await readInSequence()).toBe(before);
  expect(await db.query('select count(*) as count from owned')).toEqual([{ count: ROWS }]);
  const [setting] = await db.query<{ value: string }>(`select current_setting('enable_seqscan') as value`);
  expect(setting).toEqual({ value: 'on' });
});
