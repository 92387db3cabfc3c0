import type { GroupPermissionName } from '@parley/shared/access';
import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { json, type Parameter, pathId, text } from '../../http/parameters';
import { GROUP_PERMISSION_NAMES } from '../../wire/group';
import { groupSettingChangeSchema, toGroupSettingChange } from '../../wire/group-setting';

type Change = z.infer<typeof groupSettingChangeSchema> | undefined;

const settings = Object.fromEntries(
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
    ...settings,
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
