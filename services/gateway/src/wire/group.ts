import { GROUP_PERMISSION_SETTINGS, type GroupPermissionName } from '@parley/shared/access';
import { z } from 'zod';
import { groupSettingSchema } from './group-setting';

/** The permission settings of a user group, in the order in which parameters are read and answers written. */
export const GROUP_PERMISSION_NAMES = Object.keys(GROUP_PERMISSION_SETTINGS) as GroupPermissionName[];

const settingsShape = Object.fromEntries(GROUP_PERMISSION_NAMES.map((name) => [name, groupSettingSchema])) as Record<
  GroupPermissionName,
  typeof groupSettingSchema
>;

export const groupSchema = z.strictObject({
  id: z.int(),
  name: z.string(),
  description: z.string(),
  date_created: z.int().nullable(),
  creator_id: z.int().nullable().describe('null: the system.'),
  members: z.array(z.int()).describe('Active direct members.'),
  direct_subgroup_ids: z.array(z.int()),
  is_system_group: z.boolean(),
  deactivated: z.boolean(),
  ...settingsShape,
});
