import { standingOf } from './standing.sql';
import { SYSTEM_GROUP_VALUES } from './system-group-values.sql';

/**
 * SQL for the recursive table `reach (group_id)`: a group and its subgroups at any depth. Both arguments are SQL.
 * The recursion stops at system groups, whose subgroups are constants.
 */
// NOTE: in this file `offset 0`, `limit 1` and scalar subqueries force the planner to index lookups; see send-facts.sql.ts.
export function reachOf(realmId: string, groupId: string): string {
  return `reach (group_id) as (
    select ${groupId}
    union
    select inside.subgroup_id from reach, lateral (
      select s.subgroup_id from user_group_subgroup s
      where s.realm_id = ${realmId} and s.group_id = reach.group_id offset 0) inside)`;
}

/** SQL: ids of a group's active members, subgroups included, as a JSON array; null when there are none. */
export function memberIdsOf(realmId: string, groupId: string, nowMs: string): string {
  return `(with recursive ${reachOf(realmId, groupId)}
    select json_agg(member.id order by member.id) from (
      select u.id from reach, lateral (
        select m.user_id from user_group_member m where m.realm_id = ${realmId} and m.group_id = reach.group_id offset 0
      ) listed, lateral (
        select u.id from user_account u where u.realm_id = ${realmId} and u.id = listed.user_id and u.is_active limit 1
      ) u
      union
      select u.id from (${widestStandingInReach(realmId)}) widest (standing) cross join lateral (
        select u.id from user_account u
        where u.realm_id = ${realmId} and u.is_active and u.system_bot is null
          and ${standingOf('u', realmId, nowMs)} <= widest.standing offset 0
      ) u where widest.standing is not null
    ) member)`;
}

/** SQL: whether one of the users, whose ids the third argument selects, is active and in the group, subgroups included. */
export function isAnyInReach(realmId: string, groupId: string, userIds: string, nowMs: string): string {
  return `(with recursive ${reachOf(realmId, groupId)}
    select exists (select from (${userIds}) party (id), lateral (
      select u.id from user_account u where u.realm_id = ${realmId} and u.id = party.id and u.is_active and (
        ${standingOf('u', realmId, nowMs)} <= (${widestStandingInReach(realmId)})
        or exists (select from reach, lateral (
          select m.user_id from user_group_member m
          where m.realm_id = ${realmId} and m.group_id = reach.group_id and m.user_id = u.id limit 1) listed)) limit 1
    ) member))`;
}

function widestStandingInReach(realmId: string): string {
  return `select max(system_group.widest_standing) from reach, lateral (
      select g.name from user_group g where g.realm_id = ${realmId} and g.id = reach.group_id and g.is_system limit 1
    ) inside join ${SYSTEM_GROUP_VALUES} on system_group.name = inside.name`;
}
