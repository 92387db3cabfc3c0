import type { PermissionSetting } from '@parley/shared/access';
import type { GroupSetting } from '@parley/shared/proto';
import { ROLES } from '@parley/shared/values';
import { anActor } from '../../test/an-actor';
import { isInGroup, mayBy } from './permissions';

const GROUP_ID = 70;
const named: GroupSetting = { groupId: GROUP_ID, directMemberIds: [], directSubgroupIds: [] };
const anonymous: GroupSetting = { directMemberIds: [9], directSubgroupIds: [GROUP_ID] };

const setting = (allowsEveryone: boolean): PermissionSetting => ({
  default: 'role:members',
  allowsNobody: true,
  allowsEveryone,
  requiresSystemGroup: false,
  allowedSystemGroups: [],
});

const inside = [GROUP_ID];

// Rows: actor; allowed where guests are not; allowed where everyone can be.
test.each([
  ['a member of the group', anActor({ groupIds: inside }), true, true],
  ['a member of another group', anActor({ groupIds: [71] }), false, false],
  ['an owner who is not in the group', anActor({ role: ROLES.owner }), false, false],
  ['a bot in the group', anActor({ isBot: true, groupIds: inside }), true, true],
  ['a guest in the group', anActor({ role: ROLES.guest, groupIds: inside }), false, true],
  ['someone deactivated in the group', anActor({ isActive: false, groupIds: inside }), false, false],
])('%s', (_who, actor, isAllowedToMembers, isAllowedToEveryone) => {
  for (const value of [named, anonymous]) {
    expect(mayBy(actor, value, setting(false))).toBe(isAllowedToMembers);
    expect(mayBy(actor, value, setting(true))).toBe(isAllowedToEveryone);
  }
});

test('an anonymous group contains its direct members, guests only where everyone can be allowed', () => {
  expect(mayBy(anActor({ id: 9 }), anonymous, setting(false))).toBe(true);
  expect(mayBy(anActor({ id: 8 }), anonymous, setting(false))).toBe(false);
  expect(mayBy(anActor({ id: 9, role: ROLES.guest }), anonymous, setting(false))).toBe(false);
  expect(mayBy(anActor({ id: 9, role: ROLES.guest }), anonymous, setting(true))).toBe(true);
  expect(mayBy(anActor({ id: 9, isActive: false }), anonymous, setting(true))).toBe(false);
});

test('someone deactivated is in no group', () => {
  expect(isInGroup(anActor({ groupIds: inside }), GROUP_ID)).toBe(true);
  expect(isInGroup(anActor({ groupIds: inside, isActive: false }), GROUP_ID)).toBe(false);
});
