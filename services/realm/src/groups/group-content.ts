import type { Sql } from '@parley/shared/db';
import { BadRequestError } from '@parley/shared/errors';
import { holdGroups, type UsableGroup } from '../group-settings/group-settings.sql';
import { possibleIds } from '../possible-values';
import { findUsersByIds } from '../users/users.sql';

const MAX_IDS = 20_000;

/** What exists of the users and groups that a request puts into a group, or out of it. */
export interface GroupContent {
  activeUserIds: ReadonlySet<number>;
  /** Those of them who are people. */
  activePersonIds: ReadonlySet<number>;
  groups: ReadonlyMap<number, UsableGroup>;
}

export async function findGroupContent(
  sql: Sql,
  realmId: number,
  userIds: readonly number[],
  groupIds: readonly number[],
): Promise<GroupContent> {
  if (userIds.length + groupIds.length > MAX_IDS) throw new BadRequestError(`Too many ids (limit: ${MAX_IDS})`);
  const users = userIds.length === 0 ? [] : await findUsersByIds(sql, realmId, possibleIds(userIds));
  const groups = groupIds.length === 0 ? [] : await holdGroups(sql, realmId, possibleIds(groupIds));
  const active = users.filter(({ isActive, isSystemBot }) => isActive && !isSystemBot);
  return {
    activeUserIds: new Set(active.map(({ id }) => id)),
    activePersonIds: new Set(active.filter(({ isBot }) => !isBot).map(({ id }) => id)),
    groups: new Map(groups.map((group) => [group.id, group])),
  };
}

/** Refuses ids of users who do not exist, or no more. */
export function requireUsers(userIds: readonly number[], { activeUserIds }: GroupContent): void {
  const unknown = userIds.find((userId) => !activeUserIds.has(userId));
  if (unknown !== undefined) throw new BadRequestError(`Invalid user ID: ${unknown}`);
}

/** Refuses ids of groups that do not exist. */
export function requireGroups(groupIds: readonly number[], { groups }: GroupContent): void {
  const unknown = groupIds.find((groupId) => !groups.has(groupId));
  if (unknown !== undefined) throw new BadRequestError(`Invalid user group ID: ${unknown}`);
}

/** Refuses groups that do not exist, or are not in use. */
export function requireUsableGroups(groupIds: readonly number[], content: GroupContent): void {
  requireGroups(groupIds, content);
  const isUnusable = groupIds.some((groupId) => content.groups.get(groupId)?.isDeactivated);
  if (isUnusable) throw new BadRequestError('User group is deactivated.');
}
