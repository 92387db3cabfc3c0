import type { Sql } from '@parley/shared/db';
import { UserDeactivatedError } from '@parley/shared/errors';
import type { User } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { ROLES } from '@parley/shared/values';
import { type ActorRow, findActor } from './actors.sql';

/** A user, as far as permissions go. */
export interface Actor {
  user: User;
  /** A member whose waiting period is over, or a more powerful role. */
  isFullMember: boolean;
  /** Every group of the user, at any depth: named, anonymous and system groups. */
  groupIds: ReadonlySet<number>;
}

/** The caller and all their groups, in one statement. Refuses callers who were deactivated meanwhile. */
export async function loadActor(
  sql: Sql,
  { realmId, userId }: Pick<Caller, 'realmId' | 'userId'>,
  nowMs: number,
): Promise<Actor> {
  return actorOf(await findActor(sql, realmId, userId, nowMs));
}

/** The actor of a row; the same of other statements with these columns. */
export function actorOf(row: ActorRow | null): Actor {
  if (!row?.user.isActive) throw new UserDeactivatedError();
  const { user, standing, groupIds } = row;
  return { user, isFullMember: standing <= ROLES.member, groupIds: new Set(groupIds) };
}
