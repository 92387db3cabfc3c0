import { z } from 'zod';
import { onlyRow, type Sql, statement } from '../db';

const READ = statement('select (extract(epoch from clock_timestamp()) * 1000)::float8 as "nowMs"', {
  nowMs: z.number(),
});

/** The time of the database's server. */
export async function readTimeMs(sql: Sql): Promise<number> {
  return onlyRow(await sql.query(READ)).nowMs;
}
