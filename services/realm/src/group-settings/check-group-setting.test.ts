import { REALM_PERMISSION_SETTINGS, type RealmPermissionName, SYSTEM_GROUP_NAMES } from '@parley/shared/access';
import type { GroupSetting } from '@parley/shared/proto';
import { checkGroupSetting, type SettingFacts } from './read-group-settings';

const idOf = (name: (typeof SYSTEM_GROUP_NAMES)[number]) => SYSTEM_GROUP_NAMES.indexOf(name) + 1;
const ORDINARY = 50;
const DEACTIVATED = 51;
const UNKNOWN = 52;

const facts: SettingFacts = {
  groups: new Map(
    [
      ...SYSTEM_GROUP_NAMES.map((name) => ({ id: idOf(name), name, isSystem: true, isDeactivated: false })),
      { id: ORDINARY, name: 'friends', isSystem: false, isDeactivated: false },
      { id: DEACTIVATED, name: 'foes', isSystem: false, isDeactivated: true },
    ].map((group) => [group.id, group]),
  ),
  activeUserIds: new Set([11]),
};

const named = (groupId: number): GroupSetting => ({ groupId, directMemberIds: [], directSubgroupIds: [] });
const unnamed = (directMemberIds: number[], directSubgroupIds: number[]): GroupSetting => ({
  directMemberIds,
  directSubgroupIds,
});
const check = (name: RealmPermissionName, value: GroupSetting) => () =>
  checkGroupSetting(name, REALM_PERMISSION_SETTINGS[name], value, facts);

test.each<[RealmPermissionName, GroupSetting]>([
  ['can_create_groups', named(ORDINARY)],
  ['can_create_groups', named(idOf('role:nobody'))],
  ['can_create_groups', unnamed([11], [ORDINARY])],
  ['can_create_groups', unnamed([11], [idOf('role:everyone')])],
  ['can_resolve_topics_group', named(idOf('role:everyone'))],
  ['can_access_all_users_group', named(idOf('role:members'))],
  ['can_create_web_public_channel_group', named(idOf('role:nobody'))],
])('%s may be %p', (name, value) => {
  expect(check(name, value)).not.toThrow();
});

const cannotBe = (setting: string, group: string) => `'${setting}' setting cannot be set to '${group}' group.`;

test.each<[RealmPermissionName, GroupSetting, string]>([
  ['can_create_groups', named(UNKNOWN), 'Invalid user group'],
  ['can_create_groups', named(DEACTIVATED), 'User group is deactivated.'],
  ['can_create_groups', unnamed([11, 12], []), 'Invalid user ID: 12'],
  ['can_create_groups', unnamed([12], [UNKNOWN]), 'Invalid user ID: 12'],
  ['can_create_groups', unnamed([11], [ORDINARY, UNKNOWN]), 'Invalid user group ID: 52'],
  ['can_create_groups', unnamed([11], [DEACTIVATED]), 'User group is deactivated.'],
  ['can_create_groups', named(idOf('role:everyone')), cannotBe('can_create_groups', 'role:everyone')],
  ['can_create_groups', named(idOf('role:internet')), cannotBe('can_create_groups', 'role:internet')],
  ['can_resolve_topics_group', named(idOf('role:internet')), cannotBe('can_resolve_topics_group', 'role:internet')],
  ['can_manage_all_groups', named(idOf('role:nobody')), cannotBe('can_manage_all_groups', 'role:nobody')],
  ['can_create_groups', unnamed([11], [idOf('role:nobody')]), cannotBe('can_create_groups', 'role:nobody')],
  [
    'can_resolve_topics_group',
    unnamed([11], [idOf('role:internet')]),
    cannotBe('can_resolve_topics_group', 'role:internet'),
  ],
  [
    'can_access_all_users_group',
    named(idOf('role:moderators')),
    cannotBe('can_access_all_users_group', 'role:moderators'),
  ],
])('%s may not be %p', (name, value, message) => {
  expect(check(name, value)).toThrow(expect.objectContaining({ code: 'BAD_REQUEST', message }));
});

test.each([named(ORDINARY), unnamed([11], []), unnamed([12], [UNKNOWN])])(
  'where a system group is required, %p is refused as such',
  (value) => {
    expect(check('can_access_all_users_group', value)).toThrow(
      expect.objectContaining({
        code: 'SYSTEM_GROUP_REQUIRED',
        message: "'can_access_all_users_group' must be a system user group.",
        fields: { setting_name: 'can_access_all_users_group' },
      }),
    );
  },
);

test('a deactivated group is refused as such even where a system group is required', () => {
  expect(check('can_access_all_users_group', named(DEACTIVATED))).toThrow('User group is deactivated.');
});
