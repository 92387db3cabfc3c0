import { type Sql, statement } from '@parley/shared/db';
import type { User } from '@parley/shared/proto';
import { standingOf } from '../groups/standing.sql';
import { SYSTEM_GROUP_VALUES } from '../groups/system-group-values.sql';
import { USER_JSON } from '../users/user-json.sql';

export interface ActorRow {
  user: User;
  standing: number;
  groupIds: number[];
}

// NOTE: `offset 0` and `limit 1` hold the planner to index lookups; see send-facts.sql.ts.
const FIND_ACTOR = statement(
  'find-actor',
  `with recursive actor as (
     select ${USER_JSON} as json, u.id, ${standingOf('u', '$1', '$3::bigint')} as standing
     from user_account u where u.realm_id = $1 and u.id = $2
   ), joined (group_id) as (
     (select m.group_id from actor, user_group_member m where m.realm_id = $1 and m.user_id = actor.id
      union
      select g.id from actor join ${SYSTEM_GROUP_VALUES} on actor.standing <= system_group.widest_standing, lateral (
        select g.id from user_group g where g.realm_id = $1 and g.name = system_group.name limit 1) g)
     union
     select around.group_id from joined, lateral (
       select s.group_id from user_group_subgroup s where s.realm_id = $1 and s.subgroup_id = joined.group_id offset 0
     ) around
   )
   select actor.json as user, actor.standing,
     coalesce((select array_agg(joined.group_id) from joined), '{}') as "groupIds"
   from actor`,
);

/** The user and every group they are in, directly or not; null when the organization has no such user. */
export async function findActor(sql: Sql, realmId: number, userId: number, nowMs: number): Promise<ActorRow | null> {
  const [row] = await sql.query<ActorRow>(FIND_ACTOR, [realmId, userId, nowMs]);
  return row ?? null;
}
