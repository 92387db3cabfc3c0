import type { Sql } from '@parley/shared/db';
import { BadRequestError } from '@parley/shared/errors';
import { REFUSAL } from '@parley/shared/texts/refusals';
import { codePointLength, findForbiddenCharacter, LIMITS } from '@parley/shared/values';
import { findUsersByIds } from '../accounts/users.sql';
import { possibleIds } from '../base/possible-values';
import { holdGroups, type UsableGroup } from '../group-settings/group-settings.sql';
import { isGroupNameTaken } from './groups.sql';

const MAX_IDS = 20_000;

/** The existing users and groups among those that a request adds or removes. */
export interface GroupContent {
  activeUserIds: ReadonlySet<number>;
  /** The people among them. */
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

/** Refuses ids of users who do not exist or are deactivated. */
export function requireUsers(userIds: readonly number[], { activeUserIds }: GroupContent): void {
  const unknown = userIds.find((userId) => !activeUserIds.has(userId));
  if (unknown !== undefined) throw new BadRequestError(`Invalid user ID: ${unknown}`);
}

/** Refuses ids of groups that do not exist. */
export function requireGroups(groupIds: readonly number[], { groups }: GroupContent): void {
  const unknown = groupIds.find((groupId) => !groups.has(groupId));
  if (unknown !== undefined) throw new BadRequestError(`Invalid user group ID: ${unknown}`);
}

/** Refuses groups that do not exist or are deactivated. */
export function requireUsableGroups(groupIds: readonly number[], content: GroupContent): void {
  requireGroups(groupIds, content);
  const isUnusable = groupIds.some((groupId) => content.groups.get(groupId)?.isDeactivated);
  if (isUnusable) throw new BadRequestError(REFUSAL.groups.deactivated);
}

/** The normalized group name; refuses names of other groups, deactivated ones included. */
export async function newNameFromInput(sql: Sql, realmId: number, text: string): Promise<string> {
  const name = groupNameFromInput(text);
  if (await isGroupNameTaken(sql, realmId, name)) throw new BadRequestError(REFUSAL.groups.taken(name));
  return name;
}

/** Names with these prefixes would be ambiguous in mentions and settings. */
const RESERVED_PREFIXES = ['@', 'role:', 'user:', 'stream:', 'channel:'];

/** The normalized group name. */
export function groupNameFromInput(text: string): string {
  const name = text.trim();
  if (name === '') throw new BadRequestError("User group name can't be empty!");
  if (codePointLength(name) > LIMITS.groupNameLength) {
    throw new BadRequestError(`User group name cannot exceed ${LIMITS.groupNameLength} characters.`);
  }
  const prefix = RESERVED_PREFIXES.find((reserved) => name.startsWith(reserved));
  if (prefix !== undefined) throw new BadRequestError(`User group name cannot start with '${prefix}'.`);
  const position = findForbiddenCharacter(name);
  if (position !== null) throw new BadRequestError(`Invalid character in user group name, at position ${position}.`);
  return name;
}

const MAX_LENGTH = 1_024;

/** The normalized group description. */
export function groupDescriptionFromInput(text: string): string {
  const description = text.trim();
  if (codePointLength(description) > MAX_LENGTH) {
    throw new BadRequestError(`description is too long (limit: ${MAX_LENGTH} characters)`);
  }
  const position = [...description].indexOf('\0');
  if (position >= 0) throw new BadRequestError(`Invalid character in description, at position ${position + 1}.`);
  return description;
}
