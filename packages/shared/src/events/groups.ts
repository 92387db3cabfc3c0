import type { GroupSetting, GroupSummary } from '../proto';
import { publicGroup, publicGroupSettings } from '../wire';
import { type ClientView, declareEvent } from './declare-event';

/** Whether the client knows deactivated groups as such; for other clients they are deleted. */
function knowsDeactivatedGroups({ capabilities }: ClientView): boolean {
  return capabilities.includes('include_deactivated_groups');
}

/** Whether a client gets events of a group, see `isFor` of a PublicShape. */
function seesGroup({ isDeactivated }: { isDeactivated: boolean }, view: ClientView): boolean {
  return !isDeactivated || knowsDeactivatedGroups(view);
}

export interface GroupCreated {
  group: GroupSummary;
}

/** A user group was created. Public event `user_group`, for everyone. */
export const groupCreated = declareEvent<GroupCreated>()('group.created', [
  {
    type: 'user_group',
    audience: () => ({ to: 'realm' }),
    variant: () => '',
    render: ({ group }) => ({ type: 'user_group', op: 'add', group: publicGroup(group) }),
  },
]);

export interface GroupDeactivated {
  groupId: number;
}

/** A user group was deactivated. Public event `user_group`, for everyone. */
export const groupDeactivated = declareEvent<GroupDeactivated>()('group.deactivated', [
  {
    type: 'user_group',
    audience: () => ({ to: 'realm' }),
    variant: (view) => String(knowsDeactivatedGroups(view)),
    render: ({ groupId }, view) =>
      knowsDeactivatedGroups(view)
        ? { type: 'user_group', op: 'update', group_id: groupId, data: { deactivated: true } }
        : { type: 'user_group', op: 'remove', group_id: groupId },
  },
]);

export interface GroupReactivated {
  group: GroupSummary;
}

/** A deactivated user group was reactivated. Public event `user_group`, for everyone. */
export const groupReactivated = declareEvent<GroupReactivated>()('group.reactivated', [
  {
    type: 'user_group',
    audience: () => ({ to: 'realm' }),
    variant: (view) => String(knowsDeactivatedGroups(view)),
    render: ({ group }, view) =>
      knowsDeactivatedGroups(view)
        ? { type: 'user_group', op: 'update', group_id: group.id, data: { deactivated: false } }
        : { type: 'user_group', op: 'add', group: publicGroup(group) },
  },
]);

export interface GroupUpdated {
  groupId: number;
  /** After the change. */
  isDeactivated: boolean;
  /** The changed fields only. */
  name?: string;
  description?: string;
  settings: Record<string, GroupSetting>;
}

/** A user group's name, description or settings have changed. Public event `user_group`, for everyone. */
export const groupUpdated = declareEvent<GroupUpdated>()('group.updated', [
  {
    type: 'user_group',
    audience: () => ({ to: 'realm' }),
    isFor: seesGroup,
    variant: () => '',
    render: ({ groupId, name, description, settings }) => ({
      type: 'user_group',
      op: 'update',
      group_id: groupId,
      data: {
        ...(name !== undefined && { name }),
        ...(description !== undefined && { description }),
        ...publicGroupSettings(settings),
      },
    }),
  },
]);

export interface GroupMembersAdded {
  groupId: number;
  isDeactivated: boolean;
  userIds: number[];
}

/** Users were added to a user group. Public event `user_group`, for everyone. */
export const groupMembersAdded = declareEvent<GroupMembersAdded>()('group.members-added', [
  {
    type: 'user_group',
    audience: () => ({ to: 'realm' }),
    isFor: seesGroup,
    variant: () => '',
    render: ({ groupId, userIds }) => ({ type: 'user_group', op: 'add_members', group_id: groupId, user_ids: userIds }),
  },
]);

export interface GroupMembersRemoved {
  groupId: number;
  isDeactivated: boolean;
  userIds: number[];
}

/** Users were removed from a user group. Public event `user_group`, for everyone. */
export const groupMembersRemoved = declareEvent<GroupMembersRemoved>()('group.members-removed', [
  {
    type: 'user_group',
    audience: () => ({ to: 'realm' }),
    isFor: seesGroup,
    variant: () => '',
    render: ({ groupId, userIds }) => ({
      type: 'user_group',
      op: 'remove_members',
      group_id: groupId,
      user_ids: userIds,
    }),
  },
]);

export interface SubgroupsAdded {
  groupId: number;
  isDeactivated: boolean;
  subgroupIds: number[];
}

/** Groups were added to a user group. Public event `user_group`, for everyone. */
export const subgroupsAdded = declareEvent<SubgroupsAdded>()('group.subgroups-added', [
  {
    type: 'user_group',
    audience: () => ({ to: 'realm' }),
    isFor: seesGroup,
    variant: () => '',
    render: ({ groupId, subgroupIds }) => ({
      type: 'user_group',
      op: 'add_subgroups',
      group_id: groupId,
      direct_subgroup_ids: subgroupIds,
    }),
  },
]);

export interface SubgroupsRemoved {
  groupId: number;
  isDeactivated: boolean;
  subgroupIds: number[];
}

/** Groups were removed from a user group. Public event `user_group`, for everyone. */
export const subgroupsRemoved = declareEvent<SubgroupsRemoved>()('group.subgroups-removed', [
  {
    type: 'user_group',
    audience: () => ({ to: 'realm' }),
    isFor: seesGroup,
    variant: () => '',
    render: ({ groupId, subgroupIds }) => ({
      type: 'user_group',
      op: 'remove_subgroups',
      group_id: groupId,
      direct_subgroup_ids: subgroupIds,
    }),
  },
]);
