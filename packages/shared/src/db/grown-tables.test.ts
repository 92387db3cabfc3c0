import { z } from 'zod';
import { testServers } from '../testing';
import { type Database, openDatabase } from './database';
import { analyzeGrownTables } from './grown-tables';
import { statement } from './sql';

let db: Database;

beforeAll(async () => {
  db = openDatabase({ url: testServers().databaseUrl, poolSize: 1, applicationName: 'test' });
  await db.query('create table growing (id bigint primary key, text text)');
  await db.query('alter table growing set (autovacuum_enabled = false)');
});
afterAll(async () => {
  await db.query('drop table growing');
  await db.close();
});

const FIND = statement('select text from growing where id = $1', { text: z.string() });

async function plan(): Promise<string> {
  const rows = await db.query<{ 'QUERY PLAN': string }>(`explain execute "${FIND.name}" (1)`);
  return rows.map((row) => row['QUERY PLAN']).join();
}

const INSERT = 'insert into growing select id, $3 from generate_series($1::bigint, $2::bigint) as id';

async function fill(from: number, to: number): Promise<void> {
  await db.query(INSERT, [from, to, 'soup']);
  // PostgreSQL counts rows with a delay.
  await db.query('select pg_stat_force_next_flush()');
}

test('a statement that was planned for a few rows finds one among thousands by the index', async () => {
  await fill(1, 100);
  await db.query('analyze growing');
  for (let count = 0; count < 10; count += 1) await db.query(FIND, [1]);
  expect(await plan()).toContain('Seq Scan');
  await fill(101, 20_000);
  expect(await plan()).toContain('Seq Scan');
  expect(await analyzeGrownTables(db)).toContain('public.growing');
  expect(await plan()).toContain('Index Scan');
});

test('statistics are renewed when the table has doubled, not before', async () => {
  expect(await analyzeGrownTables(db)).not.toContain('public.growing');
  await fill(20_001, 30_000);
  expect(await analyzeGrownTables(db)).not.toContain('public.growing');
  await fill(30_001, 42_000);
  expect(await analyzeGrownTables(db)).toContain('public.growing');
});

test('rows of a transaction under way do not count: its statistics would say that there are none', async () => {
  await db.transaction(async (tx) => {
    await tx.query(INSERT, [42_001, 200_000, 'soup']);
    const other = openDatabase({ url: db.url, poolSize: 1, applicationName: 'test' });
    expect(await analyzeGrownTables(other).finally(() => other.close())).not.toContain('public.growing');
  });
});
