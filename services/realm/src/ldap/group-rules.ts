import { ROLES } from '@parley/shared/values';
import type { DirectorySettings } from './directory-settings';

type Rules = Pick<DirectorySettings, 'groupRules' | 'roleRules'>;

/** Equal for names (cn) that are the same to directories. */
export function groupNameKey(name: string): string {
  return name.trim().replace(/ +/g, ' ').toLowerCase();
}

/** The names in rules, each once. */
export function namesInRules({ groupRules, roleRules }: Rules): string[] {
  return [...new Set([...groupRules, ...roleRules].map(({ groupName }) => groupNameKey(groupName)))];
}

/** The user groups of somebody who is in groups of the directory with these keys. */
export function groupIdsOf(names: ReadonlySet<string>, { groupRules }: Pick<Rules, 'groupRules'>): number[] {
  const fitting = groupRules.filter(({ groupName }) => names.has(groupNameKey(groupName)));
  return [...new Set(fitting.map(({ groupId }) => groupId))];
}

export interface RoleState {
  role: number;
  /** That the directory gave; null: none. */
  givenRole: number | null;
}

/** The role of an account by the rules; the first that fits. A role that the directory gave ends with its rule, another one stays. */
export function roleByRules(
  names: ReadonlySet<string>,
  { roleRules }: Pick<Rules, 'roleRules'>,
  { role, givenRole }: RoleState,
): RoleState {
  const decided = roleRules.find(({ groupName }) => names.has(groupNameKey(groupName)))?.role;
  if (decided === undefined) return { role: role === givenRole ? ROLES.member : role, givenRole: null };
  return { role: decided, givenRole: decided === role && givenRole === null ? null : decided };
}

export function isSameRole(one: RoleState, other: RoleState): boolean {
  return one.role === other.role && one.givenRole === other.givenRole;
}
