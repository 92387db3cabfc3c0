import { findSystemGroup } from './system-groups';

/** What decides whether someone is in a group: the group and all groups inside it, at any depth. */
export interface GroupReach {
  /** Names of the system groups among them. */
  systemGroups: readonly string[];
  /** Whether the user was put into one of the others. */
  isListed: boolean;
}

/** Is someone of that role in the system group? Holds for active users only. */
export function isInSystemGroup(name: string, role: number): boolean {
  const widestRole = findSystemGroup(name)?.widestRole ?? null;
  return widestRole !== null && role <= widestRole;
}

/** Is someone of that role, and listed or not, in the group? Holds for active users only. */
export function isInGroup({ systemGroups, isListed }: GroupReach, role: number): boolean {
  return isListed || systemGroups.some((name) => isInSystemGroup(name, role));
}
