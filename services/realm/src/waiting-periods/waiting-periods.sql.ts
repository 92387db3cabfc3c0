import { onlyRow, type Sql, statement } from '@parley/shared/db';
import { ROLES } from '@parley/shared/values';
import { z } from 'zod';

/** SQL: whether the waiting period of a row of `user_account` called `u` has ended since `mark` and until `nowMs`. */
function hasEnded(days: string, mark: string, nowMs: string): string {
  const end = `u.created_at + ${days} * interval '24 hours'`;
  return `u.role = ${ROLES.member} and u.is_active and u.system_bot is null
    and ${days} > 0 and ${end} > ${mark} and ${end} <= to_timestamp(${nowMs} / 1000.0)`;
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

/** Organizations in which somebody's waiting period has ended, which has not been announced. */
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

/**
 * Members whose waiting period has ended, which has not been announced; by id. `days`: how long it is, or was until now; null: what
 * the organization has chosen.
 */
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

/** Until when waiting periods have ended that have been announced. */
export async function findAnnouncedUntilMs(sql: Sql, realmId: number): Promise<number> {
  return onlyRow(await sql.query(FIND_MARK, [realmId])).mark;
}

const SET_MARK = statement(
  `insert into waiting_period_mark (realm_id, announced_until) values ($1, to_timestamp($2 / 1000.0))
   on conflict (realm_id) do update set announced_until = excluded.announced_until`,
);

/**
 * What has ended until then has been announced. Called by the hourly job and by changes of the waiting period, which have announced it and
 * hold the organization's row.
 */
export async function markWaitingPeriodsAnnounced(sql: Sql, realmId: number, nowMs: number): Promise<void> {
  await sql.query(SET_MARK, [realmId, nowMs]);
}
