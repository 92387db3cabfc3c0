import { GROUP_PERMISSION_SETTINGS, REALM_PERMISSION_SETTINGS, SYSTEM_GROUP_NAMES } from '@parley/shared/access';
import type { GroupSetting } from '@parley/shared/proto';
import { anActor } from '../../test/an-actor';
import { completeSettings } from '../group-settings/complete-settings';
import { groupsInside } from '../membership/group-graph';
import { type MembershipChange, type MembershipFacts, planMembership } from './plan-membership';

const GROUP = 40;
const INSIDE = 41;
const AROUND = 42;
const FREE = 43;
const DEACTIVATED = 44;
const owner = {
  creatorId: null,
  systemGroupIds: Object.fromEntries(SYSTEM_GROUP_NAMES.map((name, index) => [name, index + 1])) as never,
};
const mine: GroupSetting = { directMemberIds: [7], directSubgroupIds: [] };
const others: GroupSetting = { directMemberIds: [8], directSubgroupIds: [] };

/** User 7 acts; users 7, 8 and 11 to 13 are active, 11 and 12 are members. */
function facts(settings: Record<string, GroupSetting> = { can_manage_group: mine }): MembershipFacts {
  const usable = [GROUP, INSIDE, AROUND, FREE, DEACTIVATED].map((id) => ({
    id,
    name: `group ${id}`,
    isSystem: false,
    isDeactivated: id === DEACTIVATED,
  }));
  return {
    actor: anActor(),
    realm: completeSettings(REALM_PERMISSION_SETTINGS, {}, owner),
    group: {
      id: GROUP,
      name: 'friends',
      description: '',
      isSystem: false,
      isDeactivated: false,
      memberIds: [11, 12],
      directSubgroupIds: [INSIDE],
      createdAtMs: 0,
      settings: completeSettings(GROUP_PERMISSION_SETTINGS, { can_leave_group: others, ...settings }, owner),
    },
    content: {
      activeUserIds: new Set([7, 8, 11, 12, 13]),
      activePersonIds: new Set(),
      groups: new Map(usable.map((group) => [group.id, group])),
    },
    links: [
      { groupId: GROUP, subgroupId: INSIDE },
      { groupId: FREE, subgroupId: AROUND },
      { groupId: AROUND, subgroupId: GROUP },
    ],
  };
}

const NOTHING: MembershipChange = { addedIds: [], removedIds: [], addedSubgroupIds: [], removedSubgroupIds: [] };
const plan = (change: Partial<MembershipChange>, settings?: Record<string, GroupSetting>) =>
  planMembership({ ...NOTHING, ...change }, facts(settings));

test('every id counts once', () => {
  expect(plan({ addedIds: [13, 13], removedIds: [11, 11], removedSubgroupIds: [INSIDE, INSIDE] })).toEqual({
    addedIds: [13],
    removedIds: [11],
    addedSubgroupIds: [],
    removedSubgroupIds: [INSIDE],
  });
});

test('a user added may be removed by the same request', () => {
  expect(plan({ addedIds: [13], removedIds: [13] })).toMatchObject({ addedIds: [13], removedIds: [13] });
  expect(() => plan({ addedIds: [11], removedIds: [11] })).toThrow('User 11 is already a member of this group');
});

test.each<[Partial<MembershipChange>, string]>([
  [{ addedIds: [13, 99] }, 'Invalid user ID: 99'],
  [{ addedIds: [13, 12, 11] }, 'User 12 is already a member of this group'],
  [{ removedIds: [11, 99] }, 'Invalid user ID: 99'],
  [{ removedIds: [11, 13] }, "There is no member '13' in this user group"],
  [{ addedSubgroupIds: [99] }, 'Invalid user group ID: 99'],
  [{ addedSubgroupIds: [DEACTIVATED] }, 'User group is deactivated.'],
  [{ addedSubgroupIds: [INSIDE] }, 'User group 41 is already a subgroup of this group.'],
  [{ addedSubgroupIds: [GROUP] }, 'User group 40 is already a subgroup of one of the passed subgroups.'],
  [{ addedSubgroupIds: [AROUND] }, 'User group 40 is already a subgroup of one of the passed subgroups.'],
  [{ addedSubgroupIds: [FREE] }, 'User group 40 is already a subgroup of one of the passed subgroups.'],
  [{ removedSubgroupIds: [99] }, 'Invalid user group ID: 99'],
  [{ removedSubgroupIds: [FREE] }, 'User group 43 is not a subgroup of this group.'],
])('%p is refused', (change, message) => {
  expect(() => plan(change)).toThrow(message);
});

test('of several faults the first counts: members before groups, additions before removals', () => {
  const all = { addedIds: [99], removedIds: [98], addedSubgroupIds: [97], removedSubgroupIds: [96] };
  expect(() => plan(all)).toThrow('Invalid user ID: 99');
  expect(() => plan({ ...all, addedIds: [] })).toThrow('Invalid user ID: 98');
  expect(() => plan({ ...all, addedIds: [], removedIds: [] })).toThrow('Invalid user group ID: 97');
});

test.each<[string, Partial<MembershipChange>, Record<string, GroupSetting>, boolean]>([
  ['put others in', { addedIds: [13] }, {}, false],
  ['put others in', { addedIds: [13] }, { can_add_members_group: mine }, true],
  ['put others in', { addedIds: [13] }, { can_join_group: mine }, false],
  ['join', { addedIds: [7] }, { can_join_group: mine }, true],
  ['join together with others', { addedIds: [7, 13] }, { can_join_group: mine }, false],
  ['put others out', { removedIds: [11] }, {}, false],
  ['put others out', { removedIds: [11] }, { can_remove_members_group: mine }, true],
  ['put groups in', { addedSubgroupIds: [45] }, { can_join_group: mine }, false],
  ['put groups out', { removedSubgroupIds: [INSIDE] }, { can_leave_group: mine }, false],
  ['put groups out', { removedSubgroupIds: [INSIDE] }, { can_remove_members_group: mine }, true],
])('may somebody %s by %p with %p: %p', (_what, change, settings, isAllowed) => {
  const attempt = () => plan(change, settings);
  if (isAllowed) expect(attempt).not.toThrow();
  else expect(attempt).toThrow('Insufficient permission');
});

test('the permission is checked before the ids', () => {
  expect(() => plan({ addedIds: [99] }, {})).toThrow('Insufficient permission');
});

test('subgroups are found at any depth, and once', () => {
  const links = [
    { groupId: 1, subgroupId: 2 },
    { groupId: 1, subgroupId: 3 },
    { groupId: 2, subgroupId: 4 },
    { groupId: 3, subgroupId: 4 },
    { groupId: 5, subgroupId: 1 },
  ];
  expect([...groupsInside(links, [1])].sort()).toEqual([2, 3, 4]);
  expect([...groupsInside(links, [4, 9])]).toEqual([]);
});
