import type { SystemGroupName } from '@parley/shared/access';
import { ROLES, type Role } from '@parley/shared/values';

/**
 * A standing is the role, or WAITING_MEMBER for members in their waiting period, which lies between member and guest. Smaller means more
 * power.
 */
export const WAITING_MEMBER = 401;

export interface SystemGroup {
  name: SystemGroupName;
  description: string;
  /** Active users of exactly this role are its direct members, if their standing suffices; null: none. */
  directRole: Role | null;
  /** Its only subgroup; null: none. */
  subgroup: SystemGroupName | null;
  /** Active users of this standing or a more powerful one are members, directly or not; null: none. */
  widestStanding: number | null;
}

/** The groups of every organization; their members follow from the users' standings. */
export const SYSTEM_GROUPS: readonly SystemGroup[] = [
  {
    name: 'role:internet',
    description: 'Everyone on the Internet',
    directRole: null,
    subgroup: 'role:everyone',
    widestStanding: ROLES.guest,
  },
  {
    name: 'role:everyone',
    description: 'Everyone in this organization, including guests',
    directRole: ROLES.guest,
    subgroup: 'role:members',
    widestStanding: ROLES.guest,
  },
  {
    name: 'role:members',
    description: 'Members of this organization, not including guests',
    directRole: ROLES.member,
    subgroup: 'role:fullmembers',
    widestStanding: WAITING_MEMBER,
  },
  {
    name: 'role:fullmembers',
    description: 'Members of this organization, not including new accounts and guests',
    directRole: ROLES.member,
    subgroup: 'role:moderators',
    widestStanding: ROLES.member,
  },
  {
    name: 'role:moderators',
    description: 'Moderators of this organization, including administrators',
    directRole: ROLES.moderator,
    subgroup: 'role:administrators',
    widestStanding: ROLES.moderator,
  },
  {
    name: 'role:administrators',
    description: 'Administrators of this organization, including owners',
    directRole: ROLES.administrator,
    subgroup: 'role:owners',
    widestStanding: ROLES.administrator,
  },
  {
    name: 'role:owners',
    description: 'Owners of this organization',
    directRole: ROLES.owner,
    subgroup: null,
    widestStanding: ROLES.owner,
  },
  { name: 'role:nobody', description: 'Nobody', directRole: null, subgroup: null, widestStanding: null },
];

const byName = new Map<string, SystemGroup>(SYSTEM_GROUPS.map((group) => [group.name, group]));

/** The system group of that name; null when there is none. */
export function findSystemGroup(name: string): SystemGroup | null {
  return byName.get(name) ?? null;
}
