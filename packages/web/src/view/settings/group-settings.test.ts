import { type PermissionSetting, REALM_PERMISSION_SETTINGS } from '@parley/shared/settings';
import type { Group, GroupSetting } from '../../store/settings-state';
import { groupSettingOf, type Holders, holdersOf, mayHold } from './group-settings';

const NOBODY = 1;

test.each<[string, Holders, GroupSetting]>([
  ['one group', { userIds: [], groupIds: [7] }, 7],
  ['nobody', { userIds: [], groupIds: [] }, NOBODY],
  ['nobody and a group', { userIds: [], groupIds: [NOBODY, 7] }, 7],
  ['nobody and a person', { userIds: [3], groupIds: [NOBODY] }, { direct_members: [3], direct_subgroups: [] }],
  ['a person and groups', { userIds: [3], groupIds: [7, 8] }, { direct_members: [3], direct_subgroups: [7, 8] }],
])('%s are sent as the API takes them', (_name, holders, sent) => {
  expect(groupSettingOf(holders, NOBODY)).toEqual(sent);
});

test('a group and people are shown alike', () => {
  expect(holdersOf(7)).toEqual({ userIds: [], groupIds: [7] });
  expect(holdersOf({ direct_members: [3], direct_subgroups: [7] })).toEqual({ userIds: [3], groupIds: [7] });
});

const group = (name: string, more: Partial<Group> = {}) =>
  ({ name, is_system_group: name.startsWith('role:'), deactivated: false, ...more }) as Group;
const {
  can_invite_users_group,
  can_delete_own_message_group,
  can_create_web_public_channel_group,
  can_manage_all_groups,
} = REALM_PERMISSION_SETTINGS;

test.each<[string, Group, PermissionSetting, boolean]>([
  ['a named group', group('crew'), can_invite_users_group, true],
  ['a deactivated group', group('crew', { deactivated: true }), can_invite_users_group, false],
  ['a named group, where only roles may', group('crew'), can_create_web_public_channel_group, false],
  ['owners', group('role:owners'), can_create_web_public_channel_group, true],
  ['members, where the list lacks them', group('role:members'), can_create_web_public_channel_group, false],
  ['everyone, where guests may not', group('role:everyone'), can_invite_users_group, false],
  ['everyone', group('role:everyone'), can_delete_own_message_group, true],
  ['nobody', group('role:nobody'), can_invite_users_group, true],
  ['nobody, where somebody must', group('role:nobody'), can_manage_all_groups, false],
  ['the Internet', group('role:internet'), can_delete_own_message_group, false],
])('%s can be chosen: as declared', (_name, chosen, setting, isAllowed) => {
  expect(mayHold(chosen, setting)).toBe(isAllowed);
});
