import type { GroupPermissionName } from '@parley/shared/access';
import type { Caller } from '@parley/shared/rpc';
import { isGuest } from '@parley/shared/values';
import { publicGroup } from '@parley/shared/wire';
import { z } from 'zod';
import type { Context } from '../context';
import { endpoint } from '../http/endpoint';
import { JsonPieces } from '../http/json-pieces';
import { json, type Parameter, pathId, text } from '../http/parameters';
import {
  GROUP_PERMISSION_NAMES,
  groupSchema,
  groupSettingChangeSchema,
  groupSettingSchema,
  type PublicGroupSetting,
  toGroupSetting,
  toGroupSettingChange,
} from '../wire/groups';

export const listGroups = endpoint({
  method: 'GET',
  path: '/user_groups',
  summary: "Get the organization's user groups",
  auth: 'user',
  parameters: { include_deactivated_groups: json(z.boolean().default(false)) },
  result: z.strictObject({ user_groups: z.array(groupSchema).describe('System groups included, by id.') }),
  errors: [],
  async handler(ctx, { call }, { include_deactivated_groups: includesDeactivated }) {
    const shared = await sharedGroups(ctx, call, includesDeactivated);
    if (shared) return { user_groups: shared };
    const { groups } = await ctx.services.realm.listGroups(call, { includesDeactivated });
    return { user_groups: groups.map(publicGroup) };
  },
});

/** The list that many callers share; null for guests and bots, whom realm refuses. */
async function sharedGroups({ services, sharedState }: Context, call: Caller, includesDeactivated: boolean) {
  const [{ groups }, own] = await Promise.all([
    sharedState.groupList(call, includesDeactivated),
    services.realm.getOwnUser(call, {}),
  ]);
  return isGuest(own.role) || own.isBot ? null : JsonPieces.shared([groups]);
}

type Setting = PublicGroupSetting | undefined;

const newSettingParameters = Object.fromEntries(
  GROUP_PERMISSION_NAMES.map((name) => [name, json(groupSettingSchema.optional())]),
) as Record<GroupPermissionName, Parameter<Setting, Setting>>;

export const createGroup = endpoint({
  method: 'POST',
  path: '/user_groups/create',
  summary: 'Make a user group',
  auth: 'user',
  parameters: {
    name: text(z.string()),
    description: text(z.string()),
    members: json(z.array(z.int()).describe('User ids; the caller is a member only if named.')),
    subgroups: json(z.array(z.int()).default([])),
    ...newSettingParameters,
  },
  result: z.strictObject({ group_id: z.int() }),
  errors: ['SYSTEM_GROUP_REQUIRED'],
  async handler({ services }, { call }, values) {
    const sent = GROUP_PERMISSION_NAMES.flatMap((name) => {
      const value = values[name];
      return value === undefined ? [] : [[name, toGroupSetting(value)]];
    });
    const { groupId } = await services.realm.createGroup(call, {
      name: values.name,
      description: values.description,
      memberIds: values.members,
      subgroupIds: values.subgroups,
      settings: Object.fromEntries(sent),
    });
    return { group_id: groupId };
  },
});

type Change = z.infer<typeof groupSettingChangeSchema> | undefined;

const settingChangeParameters = Object.fromEntries(
  GROUP_PERMISSION_NAMES.map((name) => [name, json(groupSettingChangeSchema.optional())]),
) as Record<GroupPermissionName, Parameter<Change, Change>>;

export const updateGroup = endpoint({
  method: 'PATCH',
  path: '/user_groups/{user_group_id}',
  summary: 'Rename or describe a user group, change its permissions, or put it in use again',
  auth: 'user',
  parameters: {
    user_group_id: pathId(),
    name: text(z.string().optional()),
    description: text(z.string().optional()),
    ...settingChangeParameters,
    deactivated: json(z.boolean().optional().describe('Only `false`: reactivates the group.')),
  },
  result: z.strictObject({}),
  errors: ['EXPECTATION_MISMATCH', 'SYSTEM_GROUP_REQUIRED'],
  async handler({ services }, { call }, values) {
    const { user_group_id: groupId, name, description, deactivated: isDeactivated } = values;
    const changes = GROUP_PERMISSION_NAMES.flatMap((setting) => {
      const change = values[setting];
      return change === undefined ? [] : [[setting, toGroupSettingChange(change)]];
    });
    await services.realm.updateGroup(call, {
      groupId,
      ...(name !== undefined && { name }),
      ...(description !== undefined && { description }),
      ...(isDeactivated !== undefined && { isDeactivated }),
      settings: Object.fromEntries(changes),
    });
    return {};
  },
});

export const deactivateGroup = endpoint({
  method: 'POST',
  path: '/user_groups/{user_group_id}/deactivate',
  summary: 'Put a user group out of use',
  auth: 'user',
  parameters: { user_group_id: pathId() },
  result: z.strictObject({}),
  errors: ['CANNOT_DEACTIVATE_GROUP_IN_USE'],
  async handler({ services }, { call }, { user_group_id: groupId }) {
    await services.realm.deactivateGroup(call, { groupId });
    return {};
  },
});

export const getGroupMembers = endpoint({
  method: 'GET',
  path: '/user_groups/{user_group_id}/members',
  summary: 'Get the active members of a user group',
  auth: 'user',
  parameters: {
    user_group_id: pathId(),
    direct_member_only: json(z.boolean().default(false).describe('Leave out members of groups inside the group.')),
  },
  result: z.strictObject({ members: z.array(z.int()) }),
  errors: [],
  async handler({ services }, { call }, { user_group_id: groupId, direct_member_only: isDirectOnly }) {
    const { memberIds } = await services.realm.getGroupMembers(call, { groupId, isDirectOnly });
    return { members: memberIds };
  },
});

export const isGroupMember = endpoint({
  method: 'GET',
  path: '/user_groups/{user_group_id}/members/{user_id}',
  summary: 'Ask whether a person is in a user group',
  auth: 'user',
  parameters: {
    user_group_id: pathId(),
    user_id: pathId(),
    direct_member_only: json(z.boolean().default(false).describe('Leave out groups inside the group.')),
  },
  result: z.strictObject({ is_user_group_member: z.boolean() }),
  errors: [],
  async handler({ services }, { call }, values) {
    const { user_group_id: groupId, user_id: userId, direct_member_only: isDirectOnly } = values;
    const { isMember } = await services.realm.isGroupMember(call, { groupId, userId, isDirectOnly });
    return { is_user_group_member: isMember };
  },
});

const ids = () => json(z.array(z.int()).default([]));

export const changeGroupMembers = endpoint({
  method: 'POST',
  path: '/user_groups/{user_group_id}/members',
  summary: 'Put users, and groups, into a user group or out of it',
  auth: 'user',
  parameters: {
    user_group_id: pathId(),
    add: ids(),
    delete: ids(),
    add_subgroups: ids(),
    delete_subgroups: ids(),
  },
  result: z.strictObject({}),
  errors: [],
  async handler({ services }, { call }, values) {
    await services.realm.changeGroupMembers(call, {
      groupId: values.user_group_id,
      addedIds: values.add,
      removedIds: values.delete,
      addedSubgroupIds: values.add_subgroups,
      removedSubgroupIds: values.delete_subgroups,
    });
    return {};
  },
});

export const getSubgroups = endpoint({
  method: 'GET',
  path: '/user_groups/{user_group_id}/subgroups',
  summary: 'Get the groups inside a user group',
  auth: 'user',
  parameters: {
    user_group_id: pathId(),
    direct_subgroup_only: json(z.boolean().default(false).describe('Leave out groups inside those.')),
  },
  result: z.strictObject({ subgroups: z.array(z.int()) }),
  errors: [],
  async handler({ services }, { call }, { user_group_id: groupId, direct_subgroup_only: isDirectOnly }) {
    const { subgroupIds } = await services.realm.getSubgroups(call, { groupId, isDirectOnly });
    return { subgroups: subgroupIds };
  },
});

export const changeSubgroups = endpoint({
  method: 'POST',
  path: '/user_groups/{user_group_id}/subgroups',
  summary: 'Put groups into a user group or out of it',
  auth: 'user',
  parameters: {
    user_group_id: pathId(),
    add: json(z.array(z.int()).default([])),
    delete: json(z.array(z.int()).default([])),
  },
  result: z.strictObject({}),
  errors: [],
  async handler({ services }, { call }, { user_group_id: groupId, add: addedIds, delete: removedIds }) {
    await services.realm.changeSubgroups(call, { groupId, addedIds, removedIds });
    return {};
  },
});
