import type { SystemGroupName } from './permission-settings';

/** What people read in the place of a system group's name. */
export const SYSTEM_GROUP_LABELS: Readonly<Record<SystemGroupName, string>> = {
  'role:internet': 'Everyone on the internet',
  'role:everyone': 'Everyone',
  'role:members': 'Members',
  'role:fullmembers': 'Full members',
  'role:moderators': 'Moderators',
  'role:administrators': 'Administrators',
  'role:owners': 'Owners',
  'role:nobody': 'Nobody',
};
