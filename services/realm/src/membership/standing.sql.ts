import { composed, type RowOf, type Sql, statement } from '@parley/shared/db';
import { ROLES } from '@parley/shared/values';
import { z } from 'zod';
import { WAITING_MEMBER } from './system-groups';

/**
 * SQL for the role or waiting state of a row of `user_account` called `user`; see WAITING_MEMBER. Without a waiting period no member
 * waits, even when clocks differ.
 */
export function standingOf(user: string, realmId: string, nowMs: string): string {
  return `(case when ${user}.role = ${ROLES.member} and ${user}.created_at > (
    select to_timestamp(${nowMs} / 1000.0) - r.waiting_period_threshold * interval '24 hours'
    from realm r where r.id = ${realmId} and r.waiting_period_threshold > 0) then ${WAITING_MEMBER} else ${user}.role end)`;
}

const LIST_STANDINGS = statement(
  `select u.id as "userId", u.role, ${standingOf('u', '$1', '$3::bigint')} as standing
   from user_account u where u.realm_id = $1 and u.id = any($2) order by u.id`,
  { userId: z.number(), role: z.number(), standing: z.number() },
);

/** Roles and waiting states of the users, active or not, by id. */
export function listStandings(
  sql: Sql,
  realmId: number,
  userIds: readonly number[],
  nowMs: number,
): Promise<RowOf<typeof LIST_STANDINGS>[]> {
  return sql.query(LIST_STANDINGS, [realmId, userIds, nowMs]);
}

const LIST_MEMBERS_BETWEEN = composed(
  `select u.id from user_account u
   where u.realm_id = $1 and u.role = ${ROLES.member} and u.is_active and u.system_bot is null
     and u.created_at > to_timestamp($2 / 1000.0) - $4 * interval '24 hours'
     and ($3 = 0 or u.created_at <= to_timestamp($2 / 1000.0) - $3 * interval '24 hours')
   order by u.id`,
  { id: z.number() },
);

/** Active members who are full members by the shorter waiting period but not yet by the longer one; by id. */
export async function listMembersBetween(
  sql: Sql,
  realmId: number,
  { shorterDays, longerDays }: { shorterDays: number; longerDays: number },
  nowMs: number,
): Promise<number[]> {
  // Without a waiting period every member is a full member, even when clocks differ.
  const rows = await sql.query(LIST_MEMBERS_BETWEEN, [realmId, nowMs, shorterDays, longerDays]);
  return rows.map(({ id }) => id);
}
