import {
  GROUP_PERMISSION_SETTINGS,
  REALM_PERMISSION_SETTINGS,
  SYSTEM_GROUP_NAMES,
  type SystemGroupName,
} from '@parley/shared/access';
import type { GroupSetting } from '@parley/shared/proto';
import { ROLES } from '@parley/shared/values';
import { anActor } from '../../test/an-actor';
import { completeSettings, type SystemGroupIds, settingsOfNobody } from '../group-settings/complete-settings';
import { SYSTEM_GROUPS, WAITING_MEMBER } from '../membership/system-groups';
import {
  isInReach,
  isInSystemGroup,
  mayAddMembers,
  mayCreateGroups,
  mayManageGroup,
  mayMention,
  mayRemoveMembers,
} from './permissions';

const { owner, administrator, moderator, member, guest } = ROLES;

describe('membership of system groups', () => {
  test.each([
    ['role:internet', [owner, administrator, moderator, member, guest]],
    ['role:everyone', [owner, administrator, moderator, member, guest]],
    ['role:members', [owner, administrator, moderator, member]],
    ['role:fullmembers', [owner, administrator, moderator, member]],
    ['role:moderators', [owner, administrator, moderator]],
    ['role:administrators', [owner, administrator]],
    ['role:owners', [owner]],
    ['role:nobody', []],
    ['role:unheard-of', []],
  ])('%s holds %p', (name, roles) => {
    expect(Object.values(ROLES).filter((role) => isInSystemGroup(name, role))).toEqual(roles);
  });

  test('a member in the waiting period is not a full member', () => {
    const names = SYSTEM_GROUPS.map(({ name }) => name).filter((name) => isInSystemGroup(name, WAITING_MEMBER));
    expect(names).toEqual(['role:internet', 'role:everyone', 'role:members']);
  });

  test('follows from direct members and nesting: every group includes its subgroup', () => {
    for (const { name, directRole, subgroup } of SYSTEM_GROUPS) {
      for (const role of Object.values(ROLES)) {
        const isInside = subgroup !== null && isInSystemGroup(subgroup, role);
        expect([name, role, isInSystemGroup(name, role)]).toEqual([name, role, role === directRole || isInside]);
      }
    }
  });
});

describe('mentioning a group', () => {
  const everyone = Object.values(ROLES);
  const heldBy = (...systemGroups: string[]) => ({ systemGroups, isListed: false });

  test.each([
    ['whose setting was never set', false, null, [...everyone, WAITING_MEMBER]],
    ['that everyone may mention', false, heldBy('role:everyone'), [...everyone, WAITING_MEMBER]],
    ['that full members may mention', false, heldBy('role:fullmembers'), [owner, administrator, moderator, member]],
    ['that owners may mention', false, heldBy('role:owners'), [owner]],
    ['that nobody may mention', false, heldBy('role:nobody'), []],
    [
      'that they were listed for, whatever else',
      false,
      { systemGroups: [], isListed: true },
      [...everyone, WAITING_MEMBER],
    ],
    ['that others were listed for', false, heldBy(), []],
    ['of the system', true, null, []],
  ])('%s', (_which, isSystem, mentionGroup, standings) => {
    const allowed = [...everyone, WAITING_MEMBER].filter((standing) => mayMention(isSystem, mentionGroup, standing));
    expect(allowed.sort()).toEqual([...standings].sort());
  });
});

describe('membership of any group', () => {
  test.each([
    ['listed in it', { systemGroups: [], isListed: true }, guest, true],
    ['not listed in it', { systemGroups: [], isListed: false }, owner, false],
    ['of a role in a system group inside it', { systemGroups: ['role:moderators'], isListed: false }, moderator, true],
    ['of a lesser role', { systemGroups: ['role:moderators'], isListed: false }, member, false],
    ['an owner, where nobody is allowed', { systemGroups: ['role:nobody'], isListed: false }, owner, false],
  ])('someone %s', (_who, reach, role, isMember) => {
    expect(isInReach(reach, role)).toBe(isMember);
  });
});

const systemGroupIds: SystemGroupIds = Object.fromEntries(
  SYSTEM_GROUP_NAMES.map((name, index) => [name, index + 1]),
) as Record<SystemGroupName, number>;
const nobodyElse = { creatorId: null, systemGroupIds };
const realm = completeSettings(REALM_PERMISSION_SETTINGS, {}, nobodyElse);

const rolesOf = (role: number) =>
  SYSTEM_GROUP_NAMES.filter((name) => isInSystemGroup(name, role)).map((name) => systemGroupIds[name]);
const ofRole = (role: number, wanted: Parameters<typeof anActor>[0] = {}) =>
  anActor({ role, groupIds: rolesOf(role), ...wanted });

const DEFAULTS: Record<string, GroupSetting> = {};
const group = (settings: Record<string, GroupSetting> = DEFAULTS) => ({
  isSystem: false,
  settings: completeSettings(GROUP_PERMISSION_SETTINGS, settings, nobodyElse),
});
const held = (...userIds: number[]): GroupSetting => ({ directMemberIds: userIds, directSubgroupIds: [] });

test.each([
  ['an owner', ofRole(owner), true],
  ['an administrator', ofRole(administrator), true],
  ['a moderator', ofRole(moderator), true],
  ['a member', ofRole(member), true],
  ['a guest', ofRole(guest), false],
  ['a bot', ofRole(member, { isBot: true }), true],
  ['someone deactivated', ofRole(owner, { isActive: false }), false],
  ['someone of another organization', anActor({ role: owner, groupIds: [101, 102, 103] }), false],
])('may %s make groups, where members may: %p', (_who, actor, isAllowed) => {
  expect(mayCreateGroups(actor, realm)).toBe(isAllowed);
});

describe('permitted changes of a group', () => {
  const rights = (actor: ReturnType<typeof anActor>, settings: Record<string, GroupSetting>) => {
    const own = group(settings);
    const others = [actor.user.id + 1];
    const itself = [actor.user.id];
    return [
      ...(mayManageGroup(actor, own, realm) ? ['manage'] : []),
      ...(mayAddMembers(actor, own, realm, others) ? ['add'] : []),
      ...(mayRemoveMembers(actor, own, realm, others) ? ['remove'] : []),
      ...(mayAddMembers(actor, own, realm, itself) ? ['join'] : []),
      ...(mayRemoveMembers(actor, own, realm, itself) ? ['leave'] : []),
    ];
  };
  const ALL = ['manage', 'add', 'remove', 'join', 'leave'];

  test.each([
    ['an owner: whoever manages all groups', ofRole(owner), DEFAULTS, ALL],
    ['an administrator, who is nobody here', ofRole(administrator), DEFAULTS, ['leave']],
    ['a member', ofRole(member), DEFAULTS, ['leave']],
    ['whoever manages the group', ofRole(member), { can_manage_group: held(7) }, ALL],
    ['whoever may add', ofRole(member), { can_add_members_group: held(7) }, ['add', 'join', 'leave']],
    ['whoever may join', ofRole(member), { can_join_group: held(7) }, ['join', 'leave']],
    [
      'whoever may remove',
      ofRole(member),
      { can_remove_members_group: held(7), can_leave_group: held(8) },
      ['remove', 'leave'],
    ],
    ['whoever may not even leave', ofRole(member), { can_leave_group: held(8) }, []],
    ['a guest, though named', ofRole(guest), { can_manage_group: held(7), can_join_group: held(7) }, ['leave']],
    ['a bot that is named', ofRole(member, { isBot: true }), { can_manage_group: held(7) }, ALL],
    ['someone deactivated', ofRole(owner, { isActive: false }), { can_manage_group: held(7) }, []],
  ])('by %s', (_who, actor, settings, expected) => {
    expect(rights(actor, settings)).toEqual(expected);
  });

  test('joining and leaving covers the actor only, once', () => {
    const actor = ofRole(member);
    const open = group({ can_join_group: held(7) });
    for (const userIds of [[], [7, 8], [8]]) {
      expect(mayAddMembers(actor, open, realm, userIds)).toBe(false);
      expect(mayRemoveMembers(actor, open, realm, userIds)).toBe(false);
    }
  });

  test('when it is a system group: nothing, not even by owners', () => {
    const system = { isSystem: true, settings: settingsOfNobody(GROUP_PERMISSION_SETTINGS, systemGroupIds) };
    const actor = ofRole(owner);
    expect(mayManageGroup(actor, system, realm)).toBe(false);
    expect(mayAddMembers(actor, system, realm, [7])).toBe(false);
    expect(mayRemoveMembers(actor, system, realm, [7])).toBe(false);
  });
});
