import { type Sql, statement } from '@parley/shared/db';
import { z } from 'zod';
import { USER, USER_JSON } from '../accounts/users.sql';
import { standingOf } from '../membership/standing.sql';
import { SYSTEM_GROUP_VALUES } from '../membership/system-group-values.sql';

const ACTOR = { user: USER, standing: z.number(), groupIds: z.array(z.number()) };

export type ActorRow = z.infer<z.ZodObject<typeof ACTOR>>;

/**
 * A statement that finds a user and all their groups, direct and indirect, with further columns: `$1` is the organization, `$2` the user,
 * `$3` the time in milliseconds.
 */
export function findingActor<More extends z.ZodRawShape>(columns: string, more: More) {
  return statement(
    `with recursive ${joinedBy('$1', '$2', '$3::bigint')}
     select ${USER_JSON} as user, ${standingOf('u', '$1', '$3::bigint')} as standing,
       coalesce((select array_agg(joined.group_id) from joined), '{}') as "groupIds" ${columns}
     from user_account u where u.realm_id = $1 and u.id = $2`,
    { ...ACTOR, ...more },
  );
}

const FIND_ACTOR = findingActor('', {});

/** The user and all their groups, direct and indirect; null when the organization has no such user. */
export async function findActor(sql: Sql, realmId: number, userId: number, nowMs: number): Promise<ActorRow | null> {
  const [row] = await sql.query(FIND_ACTOR, [realmId, userId, nowMs]);
  return row ?? null;
}

/**
 * SQL for the recursive table `joined (group_id)`: all groups of a user, direct and indirect: named, anonymous and system groups. All
 * arguments are SQL; inactive users are not excluded.
 */
// NOTE: `offset 0` and `limit 1` force the planner to index lookups; see send-facts.sql.ts.
export function joinedBy(realmId: string, userId: string, nowMs: string): string {
  return `joined (group_id) as (
    (select m.group_id from user_group_member m where m.realm_id = ${realmId} and m.user_id = ${userId}
     union
     select g.id from (
       select ${standingOf('u', realmId, nowMs)} as standing from user_account u
       where u.realm_id = ${realmId} and u.id = ${userId} limit 1
     ) person join ${SYSTEM_GROUP_VALUES} on person.standing <= system_group.widest_standing, lateral (
       select g.id from user_group g where g.realm_id = ${realmId} and g.name = system_group.name limit 1) g)
    union
    select around.group_id from joined, lateral (
      select s.group_id from user_group_subgroup s
      where s.realm_id = ${realmId} and s.subgroup_id = joined.group_id offset 0
    ) around)`;
}
