import { ROLES } from '@parley/shared/values';
import { WAITING_MEMBER } from './system-groups';

/**
 * SQL for the standing of a row of `user_account` called `user`; see WAITING_MEMBER. Where there is no waiting period nobody
 * waits, whatever the clocks say.
 */
export function standingOf(user: string, realmId: string, nowMs: string): string {
  return `(case when ${user}.role = ${ROLES.member} and ${user}.created_at > (
    select to_timestamp(${nowMs} / 1000.0) - r.waiting_period_threshold * interval '24 hours'
    from realm r where r.id = ${realmId} and r.waiting_period_threshold > 0) then ${WAITING_MEMBER} else ${user}.role end)`;
}
