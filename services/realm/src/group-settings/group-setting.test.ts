import { CHANNEL_PERMISSION_SETTINGS, GROUP_PERMISSION_SETTINGS, SYSTEM_GROUP_NAMES } from '@parley/shared/access';
import type { GroupSetting } from '@parley/shared/proto';
import { completeSettings, settingsOfNobody } from './complete-settings';
import { isSameGroupSetting, normalizeGroupSetting } from './group-setting';

const NOBODY = 8;
const named = (groupId: number): GroupSetting => ({ groupId, directMemberIds: [], directSubgroupIds: [] });
const unnamed = (directMemberIds: number[], directSubgroupIds: number[]): GroupSetting => ({
  directMemberIds,
  directSubgroupIds,
});

test.each([
  ['a named group stays', named(5), named(5)],
  ['one group alone is that group', unnamed([], [5]), named(5)],
  ['one group twice is that group', unnamed([], [5, 5]), named(5)],
  ['nobody at all is role:nobody', unnamed([], []), named(NOBODY)],
  ['a person alone stays', unnamed([5], []), unnamed([5], [])],
  ['a person and a group stay', unnamed([5], [6]), unnamed([5], [6])],
  ['ids are sorted, each once', unnamed([9, 10, 9, 1], [7, 3, 7]), unnamed([1, 9, 10], [3, 7])],
])('%s', (_rule, value, normalized) => {
  expect(normalizeGroupSetting(value, NOBODY)).toEqual(normalized);
});

test.each([
  [named(5), named(5), true],
  [named(5), named(6), false],
  [named(5), unnamed([], [5, 6]), false],
  [unnamed([1, 2], [3]), unnamed([1, 2], [3]), true],
  [unnamed([1, 2], [3]), unnamed([1], [3]), false],
  [unnamed([1, 2], [3]), unnamed([1, 2], [4]), false],
])('%p and %p are the same: %p', (a, b, isSame) => {
  expect(isSameGroupSetting(a, b)).toBe(isSame);
});

const systemGroupIds = Object.fromEntries(SYSTEM_GROUP_NAMES.map((name, index) => [name, index + 1])) as never;

test('unset permissions have their defaults', () => {
  const settings = completeSettings(GROUP_PERMISSION_SETTINGS, {}, { creatorId: 77, systemGroupIds });
  expect(settings).toEqual({
    can_add_members_group: unnamed([77], []),
    can_join_group: named(8),
    can_leave_group: named(2),
    can_manage_group: unnamed([77], []),
    can_mention_group: named(2),
    can_remove_members_group: named(8),
  });
});

test('values are normalized: without deactivated members one group or the empty group may remain', () => {
  const stored = { can_subscribe_group: unnamed([], [4]), can_send_message_group: unnamed([], []) };
  const owner = { creatorId: null, systemGroupIds };
  const settings = completeSettings(CHANNEL_PERMISSION_SETTINGS, stored, owner);
  expect(settings).toMatchObject({ can_subscribe_group: named(4), can_send_message_group: named(8) });
  expect(settings.can_administer_channel_group).toEqual(named(8));
});

test('all permissions of system groups are the empty group', () => {
  const settings = settingsOfNobody(GROUP_PERMISSION_SETTINGS, systemGroupIds);
  expect(Object.values(settings)).toEqual(Array.from({ length: 6 }, () => named(8)));
});
