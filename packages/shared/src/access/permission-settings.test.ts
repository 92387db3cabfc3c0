import { PERMISSION_SETTINGS, type PermissionSetting, SYSTEM_GROUP_NAMES } from './index';

const entries = Object.values(PERMISSION_SETTINGS).flatMap((catalogue) => Object.entries<PermissionSetting>(catalogue));

test.each(entries)('%s has a default that the setting may have', (_name, setting) => {
  const { default: group, allowsNobody, allowsEveryone, requiresSystemGroup, allowedSystemGroups } = setting;
  expect(group === 'role:nobody' && !allowsNobody).toBe(false);
  expect(group === 'role:everyone' && !allowsEveryone).toBe(false);
  expect(group === 'creator' && requiresSystemGroup).toBe(false);
  if (allowedSystemGroups.length > 0) expect(allowedSystemGroups).toContain(group);
});

test('there are 24 settings of an organization, 11 of a channel, 6 of a group', () => {
  expect(Object.values(PERMISSION_SETTINGS).map((catalogue) => Object.keys(catalogue).length)).toEqual([24, 11, 6]);
});

test('nothing can be given to the Internet', () => {
  expect(entries.filter(([, setting]) => setting.default === 'role:internet')).toEqual([]);
  expect(entries.filter(([, setting]) => setting.allowedSystemGroups.includes('role:internet'))).toEqual([]);
  expect(SYSTEM_GROUP_NAMES).toContain('role:internet');
});
