import { ROLES, type Role } from '@parley/shared/values';

export interface SystemGroup {
  name: string;
  description: string;
  /** Active users of exactly this role are its direct members; null: there are none. */
  directRole: Role | null;
  /** The one group inside it; null: none. */
  subgroup: string | null;
  /** Active users of this role or a more powerful one are members, directly or not; null: nobody is. */
  widestRole: Role | null;
}

/** The groups that every organization has; who is in them follows from the users' roles. */
export const SYSTEM_GROUPS: readonly SystemGroup[] = [
  {
    name: 'role:internet',
    description: 'Everyone on the Internet',
    directRole: null,
    subgroup: 'role:everyone',
    widestRole: ROLES.guest,
  },
  {
    name: 'role:everyone',
    description: 'Everyone in this organization, including guests',
    directRole: ROLES.guest,
    subgroup: 'role:members',
    widestRole: ROLES.guest,
  },
  {
    name: 'role:members',
    description: 'Members of this organization, not including guests',
    directRole: ROLES.member,
    subgroup: 'role:fullmembers',
    widestRole: ROLES.member,
  },
  {
    // There is no waiting period yet, so every member is a full one.
    name: 'role:fullmembers',
    description: 'Members of this organization, not including new accounts and guests',
    directRole: ROLES.member,
    subgroup: 'role:moderators',
    widestRole: ROLES.member,
  },
  {
    name: 'role:moderators',
    description: 'Moderators of this organization, including administrators',
    directRole: ROLES.moderator,
    subgroup: 'role:administrators',
    widestRole: ROLES.moderator,
  },
  {
    name: 'role:administrators',
    description: 'Administrators of this organization, including owners',
    directRole: ROLES.administrator,
    subgroup: 'role:owners',
    widestRole: ROLES.administrator,
  },
  {
    name: 'role:owners',
    description: 'Owners of this organization',
    directRole: ROLES.owner,
    subgroup: null,
    widestRole: ROLES.owner,
  },
  { name: 'role:nobody', description: 'Nobody', directRole: null, subgroup: null, widestRole: null },
];

const byName = new Map(SYSTEM_GROUPS.map((group) => [group.name, group]));

/** The system group of that name; null when there is none. */
export function findSystemGroup(name: string): SystemGroup | null {
  return byName.get(name) ?? null;
}
