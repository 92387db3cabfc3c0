import type { Sql } from '@parley/shared/db';
import { type DomainEvent, groupMembersAdded, groupMembersRemoved } from '@parley/shared/events';
import type { User } from '@parley/shared/proto';
import { ROLES } from '@parley/shared/values';
import { findActor } from '../actors/actors.sql';
import { listGroupsOfUser } from './group-members.sql';
import { systemGroupMoves } from './system-group-moves';

interface Change {
  user: Pick<User, 'id' | 'realmId' | 'role'>;
  /** As it is from now on: members who are not active count as none. */
  isActive: boolean;
  /** Those who do not know the user: to everybody else the user's own event tells as much. */
  strangerIds: readonly number[];
  nowMs: number;
}

/** What is to be announced of the groups of a user who is deactivated, or active again. */
export async function presenceInGroups(sql: Sql, change: Change): Promise<DomainEvent[]> {
  const { user, isActive, strangerIds: receiverIds } = change;
  if (receiverIds.length === 0) return [];
  const { realmId, id: userId } = user;
  const groups = await listGroupsOfUser(sql, realmId, userId);
  const members = (group: { groupId: number; isDeactivated: boolean }) => ({
    ...group,
    userIds: [userId],
    receiverIds,
  });
  const ownGroups = groups.map((group) =>
    (isActive ? groupMembersAdded : groupMembersRemoved)(realmId, members(group)),
  );
  return [...ownGroups, ...(await movesInSystemGroups(sql, change))];
}

async function movesInSystemGroups(sql: Sql, { user, isActive, strangerIds, nowMs }: Change): Promise<DomainEvent[]> {
  const { realmId, id: userId, role } = user;
  const row = await findActor(sql, realmId, userId, nowMs);
  const standing = { role, isFullMember: row !== null && row.standing <= ROLES.member };
  const [from, to] = isActive ? [null, standing] : [standing, null];
  return systemGroupMoves(sql, realmId, userId, from, to, strangerIds);
}
