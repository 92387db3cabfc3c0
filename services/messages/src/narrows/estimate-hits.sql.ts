import type { Sql } from '@parley/shared/db';
import type { Reader } from '../messages/permissions';
import type { Bind, Lead } from './narrow';
import { follow } from './routes.sql';

const EVERYWHERE = { isInRange: () => 'true', sort: 'asc' } as const;

/**
 * To about how many messages of the organization a lead leads. Nothing is read: the planner says what it knows of words, senders and
 * marks from the statistics of their columns.
 */
export async function estimateHits(sql: Sql, { realm, userId }: Reader, { routes }: Lead): Promise<number> {
  const values: unknown[] = [realm.id];
  const bind: Bind = (value, type) => `$${values.push(value)}::${type}`;
  const parts = routes.map((route) => `select m.id from ${follow(route, userId, EVERYWHERE, bind)}`);
  const [row] = await sql.query<{ 'QUERY PLAN': { Plan: { 'Plan Rows': number } }[] }>(
    `explain (format json) ${parts.join(' union all ')}`,
    values,
  );
  return row?.['QUERY PLAN'][0]?.Plan['Plan Rows'] ?? 0;
}
