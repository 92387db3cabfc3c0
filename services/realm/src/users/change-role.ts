import { announce } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import { type UserRoleChanged, userRoleChanged } from '@parley/shared/events';
import type { User } from '@parley/shared/proto';
import { isGuest, ROLES } from '@parley/shared/values';
import { findActor } from '../actors/actors.sql';
import { watchSight } from '../channels/channel-sight';
import { systemGroupMoves } from '../groups/system-group-moves';
import { userAudience } from './accessible-users';
import { hasRestrictedGuests } from './accessible-users.sql';
import { storeRole } from './account-state.sql';
import { announceRoleLists } from './announce-role-lists';

/**
 * Gives an account another role, and announces it: first of all to everybody, then where groups have other members, then to the
 * user what they see now, or no more. Whether the caller may do this has been decided.
 */
export async function changeRole(tx: Transaction, user: User, role: number, nowMs: number): Promise<void> {
  const { realmId, id } = user;
  const change = () => announceRoleLists(tx, user, role, () => storeAndAnnounce(tx, user, role, nowMs));
  await watchSight(tx, realmId, { userIds: [id], channelIds: null }, nowMs, change);
}

async function storeAndAnnounce(tx: Transaction, user: User, role: number, nowMs: number): Promise<void> {
  const { realmId, id: userId } = user;
  const from = await standingOf(tx, user, nowMs);
  await storeRole(tx, realmId, userId, role);
  const to = await standingOf(tx, user, nowMs);
  const audience = await userAudience(tx, realmId, userId);
  const endsQueues = await endingQueues(tx, user, role);
  await announce(
    tx,
    userRoleChanged(realmId, { userId, role, audience, endsQueues }),
    ...(await systemGroupMoves(tx, realmId, userId, from, to)),
  );
}

/** Guests hear no channels they are not in, and where they are restricted nobody but guests meets unknown users. */
async function endingQueues(
  tx: Transaction,
  { realmId, role: former }: User,
  role: number,
): Promise<UserRoleChanged['endsQueues']> {
  if (isGuest(role) === isGuest(former)) return 'none';
  if (await hasRestrictedGuests(tx, realmId)) return 'all';
  return isGuest(role) ? 'wide' : 'none';
}

/** Null: deactivated users are in no group. */
async function standingOf(tx: Transaction, { realmId, id, isActive }: User, nowMs: number) {
  const row = isActive ? await findActor(tx, realmId, id, nowMs) : null;
  return row && { role: row.user.role, isFullMember: row.standing <= ROLES.member };
}
