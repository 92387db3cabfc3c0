import type { Sql } from '@parley/shared/db';
import { UserDeactivatedError } from '@parley/shared/errors';
import type { Caller } from '@parley/shared/rpc';
import { ROLES } from '@parley/shared/values';
import type { Actor } from './actor';
import { findActor } from './actors.sql';

/** Who calls, and every group they are in: one SQL statement. Refuses who was deactivated while calling. */
export async function loadActor(
  sql: Sql,
  { realmId, userId }: Pick<Caller, 'realmId' | 'userId'>,
  nowMs: number,
): Promise<Actor> {
  const row = await findActor(sql, realmId, userId, nowMs);
  if (!row?.user.isActive) throw new UserDeactivatedError();
  const { user, standing, groupIds } = row;
  return { user, isFullMember: standing <= ROLES.member, groupIds: new Set(groupIds) };
}
