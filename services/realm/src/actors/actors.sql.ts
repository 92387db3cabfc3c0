import { type Sql, statement } from '@parley/shared/db';
import type { User } from '@parley/shared/proto';
import { standingOf } from '../groups/standing.sql';
import { USER_JSON } from '../users/user-json.sql';
import { joinedBy } from './joined-groups.sql';

export interface ActorRow {
  user: User;
  standing: number;
  groupIds: number[];
}

const FIND_ACTOR = statement(
  'find-actor',
  `with recursive ${joinedBy('$1', '$2', '$3::bigint')}
   select ${USER_JSON} as user, ${standingOf('u', '$1', '$3::bigint')} as standing,
     coalesce((select array_agg(joined.group_id) from joined), '{}') as "groupIds"
   from user_account u where u.realm_id = $1 and u.id = $2`,
);

/** The user and every group they are in, directly or not; null when the organization has no such user. */
export async function findActor(sql: Sql, realmId: number, userId: number, nowMs: number): Promise<ActorRow | null> {
  const [row] = await sql.query<ActorRow>(FIND_ACTOR, [realmId, userId, nowMs]);
  return row ?? null;
}
