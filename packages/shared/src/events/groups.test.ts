import type { GroupSummary } from '../proto';
import {
  type ClientView,
  type EventDeclaration,
  groupCreated,
  groupDeactivated,
  groupMembersAdded,
  groupMembersRemoved,
  groupReactivated,
  groupUpdated,
  subgroupsAdded,
  subgroupsRemoved,
} from '.';

const nobody = { groupId: 8, directMemberIds: [], directSubgroupIds: [] };
const anonymous = { directMemberIds: [11, 12], directSubgroupIds: [3] };

const group: GroupSummary = {
  id: 40,
  name: 'friends',
  description: 'Old ones',
  isSystem: false,
  memberIds: [11],
  directSubgroupIds: [41],
  creatorId: 11,
  createdAtMs: 1_700_000_000_999,
  isDeactivated: false,
  settings: { can_join_group: nobody, can_manage_group: anonymous },
};

const shown = {
  id: 40,
  name: 'friends',
  description: 'Old ones',
  date_created: 1_700_000_000,
  creator_id: 11,
  members: [11],
  direct_subgroup_ids: [41],
  is_system_group: false,
  deactivated: false,
  can_join_group: 8,
  can_manage_group: { direct_members: [11, 12], direct_subgroups: [3] },
};

const view = (capabilities: string[]): ClientView => ({
  applyMarkdown: true,
  clientGravatar: true,
  isEmptyTopicUnderstood: true,
  capabilities,
});
const OLD = view([]);
const NEW = view(['include_deactivated_groups']);

/** The client's event; null: none. */
function eventFor<Payload>({ publicShapes }: EventDeclaration<string, Payload>, payload: Payload, client: ClientView) {
  const [shape] = publicShapes;
  expect(shape?.audience(payload)).toEqual({ to: 'realm' });
  if (shape?.isFor?.(payload, client) === false) return null;
  return shape?.render(payload, client) ?? null;
}

test('a new group is announced with all its fields', () => {
  expect(eventFor(groupCreated, { group }, OLD)).toEqual({ type: 'user_group', op: 'add', group: shown });
});

test('a changed group is announced with the changed fields', () => {
  const payload = { groupId: 40, isDeactivated: false, description: '', settings: { can_manage_group: anonymous } };
  expect(eventFor(groupUpdated, payload, OLD)).toEqual({
    type: 'user_group',
    op: 'update',
    group_id: 40,
    data: { description: '', can_manage_group: { direct_members: [11, 12], direct_subgroups: [3] } },
  });
});

describe('a group put out of use', () => {
  test('is deactivated for clients that know deactivated groups, and removed for others', () => {
    const update = { type: 'user_group', op: 'update', group_id: 40, data: { deactivated: true } };
    expect(eventFor(groupDeactivated, { groupId: 40 }, NEW)).toEqual(update);
    expect(eventFor(groupDeactivated, { groupId: 40 }, OLD)).toEqual({
      type: 'user_group',
      op: 'remove',
      group_id: 40,
    });
  });

  test('comes back the same two ways', () => {
    const update = { type: 'user_group', op: 'update', group_id: 40, data: { deactivated: false } };
    expect(eventFor(groupReactivated, { group }, NEW)).toEqual(update);
    expect(eventFor(groupReactivated, { group }, OLD)).toEqual({ type: 'user_group', op: 'add', group: shown });
  });

  test('has variants of its events for the two kinds of clients', () => {
    for (const { publicShapes } of [groupDeactivated, groupReactivated]) {
      expect(publicShapes[0]?.variant(OLD)).not.toBe(publicShapes[0]?.variant(NEW));
    }
  });

  test('is not mentioned to clients that have it removed', () => {
    const payload = { groupId: 40, isDeactivated: true, name: 'foes', settings: {} };
    expect(eventFor(groupUpdated, payload, OLD)).toBeNull();
    expect(eventFor(groupUpdated, payload, NEW)).toMatchObject({ data: { name: 'foes' } });
    expect(eventFor(groupMembersAdded, { groupId: 40, isDeactivated: true, userIds: [5] }, OLD)).toBeNull();
  });
});

const about = { groupId: 40, isDeactivated: false };

test.each([
  ['add_members', eventFor(groupMembersAdded, { ...about, userIds: [5] }, OLD), { user_ids: [5] }],
  ['remove_members', eventFor(groupMembersRemoved, { ...about, userIds: [5] }, OLD), { user_ids: [5] }],
  ['add_subgroups', eventFor(subgroupsAdded, { ...about, subgroupIds: [41] }, OLD), { direct_subgroup_ids: [41] }],
  ['remove_subgroups', eventFor(subgroupsRemoved, { ...about, subgroupIds: [41] }, OLD), { direct_subgroup_ids: [41] }],
])('%s names who or what', (op, event, members) => {
  expect(event).toEqual({ type: 'user_group', op, group_id: 40, ...members });
});
