import pg from 'pg';
import { type LoadResult, load } from '../load';

/** Durable single-row commits at 32 connections: what the disk and PostgreSQL allow. */
export async function measureCommits(databaseUrl: string): Promise<LoadResult> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 32 });
  await pool.query('create table if not exists bench_commit (id bigserial primary key, a text, b text)');
  const values = ['x'.repeat(285), 'y'.repeat(285)];
  const insert = { name: 'bench-insert', text: 'insert into bench_commit (a, b) values ($1, $2)', values };
  const result = await load(() => pool.query(insert), { concurrency: 32, warmUpMs: 500, measureMs: 3_000 });
  await pool.query('drop table bench_commit');
  await pool.end();
  return result;
}
