import { onlyRow, type Sql, statement } from '@parley/shared/db';
import { ROLES } from '@parley/shared/values';
import { z } from 'zod';

/** SQL: whether the waiting period of a row of `user_account` called `u` has ended between `mark` and `nowMs`. */
function hasEnded(days: string, mark: string, nowMs: string): string {
  // Of the time of joining, which is in an index.
  const before = (instant: string) => `${instant} - ${days} * interval '24 hours'`;
  return `u.role = ${ROLES.member} and u.is_active and u.system_bot is null
    and ${days} > 0 and u.created_at > ${before(mark)} and u.created_at <= ${before(`to_timestamp(${nowMs} / 1000.0)`)}`;
}

const MARK = 'coalesce(m.announced_until, r.created_at)';

const LIST_REALMS = statement(
  `select r.id from realm r left join waiting_period_mark m on m.realm_id = r.id
   where not r.is_deactivated and r.waiting_period_threshold > 0 and exists (
     select from user_account u
     where u.realm_id = r.id and ${hasEnded('r.waiting_period_threshold', MARK, '$1::bigint')})
   order by r.id`,
  { id: z.number() },
);

/** Organizations with members whose waiting period has ended without an announcement. */
export async function listRealmsWithEndedWaitingPeriods(sql: Sql, nowMs: number): Promise<number[]> {
  const rows = await sql.query(LIST_REALMS, [nowMs]);
  return rows.map(({ id }) => id);
}

const LIST_ENDED = statement(
  `select u.id from realm r left join waiting_period_mark m on m.realm_id = r.id
   join user_account u on u.realm_id = r.id
   where r.id = $1 and ${hasEnded('coalesce($3::integer, r.waiting_period_threshold)', MARK, '$2::bigint')}
   order by u.id`,
  { id: z.number() },
);

/** Members whose waiting period has ended without an announcement, by id. `days`: the length of the period; null: the organization's. */
export async function listEndedWaitingPeriods(
  sql: Sql,
  realmId: number,
  days: number | null,
  nowMs: number,
): Promise<number[]> {
  const rows = await sql.query(LIST_ENDED, [realmId, nowMs, days]);
  return rows.map(({ id }) => id);
}

const FIND_MARK = statement(
  `select ${MARK} as mark from realm r left join waiting_period_mark m on m.realm_id = r.id where r.id = $1`,
  { mark: z.number() },
);

/** The time until which ended waiting periods have been announced. */
export async function findAnnouncedUntilMs(sql: Sql, realmId: number): Promise<number> {
  return onlyRow(await sql.query(FIND_MARK, [realmId])).mark;
}

const SET_MARK = statement(
  `insert into waiting_period_mark (realm_id, announced_until) values ($1, to_timestamp($2 / 1000.0))
   on conflict (realm_id) do update set announced_until = excluded.announced_until`,
);

/** Marks waiting periods that ended until then as announced. Called after the announcement, with the organization's row locked. */
export async function markWaitingPeriodsAnnounced(sql: Sql, realmId: number, nowMs: number): Promise<void> {
  await sql.query(SET_MARK, [realmId, nowMs]);
}
