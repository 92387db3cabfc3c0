import type { GroupPermissionName } from '@parley/shared/access';
import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { json, type Parameter, text } from '../../http/parameters';
import { GROUP_PERMISSION_NAMES } from '../../wire/group';
import { groupSettingSchema, type PublicGroupSetting, toGroupSetting } from '../../wire/group-setting';

type Setting = PublicGroupSetting | undefined;

const settings = Object.fromEntries(
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
    ...settings,
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
