import {
  GROUP_PERMISSION_SETTINGS,
  type GroupPermissionName,
  PERMISSION_SETTINGS,
  type PermissionSetting,
} from '@parley/shared/access';
import type { GroupSetting, GroupSettingChange } from '@parley/shared/proto';
import { z } from 'zod';

/** A user group by id, or an unnamed one by its members. */
export const groupSettingSchema = z.union([
  z.int(),
  z.object({ direct_members: z.array(z.int()), direct_subgroups: z.array(z.int()) }),
]);

/** An update of such a value; `old` is the value that the client expects. */
export const groupSettingChangeSchema = z.object({ new: groupSettingSchema, old: groupSettingSchema.optional() });

export type PublicGroupSetting = z.infer<typeof groupSettingSchema>;

export function toGroupSetting(value: PublicGroupSetting): GroupSetting {
  if (typeof value === 'number') return { groupId: value, directMemberIds: [], directSubgroupIds: [] };
  return { directMemberIds: value.direct_members, directSubgroupIds: value.direct_subgroups };
}

export function toGroupSettingChange({
  new: value,
  old,
}: z.infer<typeof groupSettingChangeSchema>): GroupSettingChange {
  return { new: toGroupSetting(value), old: old === undefined ? null : toGroupSetting(old) };
}

/** The permission settings of a user group, in the order of parameters and answers. */
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

const permissionSettingSchema = z.strictObject({
  require_system_group: z.boolean(),
  allow_internet_group: z.boolean(),
  allow_nobody_group: z.boolean(),
  allow_everyone_group: z.boolean(),
  default_group_name: z.string(),
  default_for_system_groups: z.string().nullable(),
  allowed_system_groups: z.array(z.string()),
});

export const permissionSettingsSchema = z.strictObject({
  realm: z.record(z.string(), permissionSettingSchema),
  stream: z.record(z.string(), permissionSettingSchema),
  group: z.record(z.string(), permissionSettingSchema),
});

/** The groups that each permission accepts, for choices in clients. */
export const supportedPermissionSettings: z.infer<typeof permissionSettingsSchema> = {
  realm: publicCatalogue('realm'),
  stream: publicCatalogue('channel'),
  group: publicCatalogue('group'),
};

function publicCatalogue(kind: keyof typeof PERMISSION_SETTINGS) {
  const entries = Object.entries<PermissionSetting>(PERMISSION_SETTINGS[kind]).map(([name, setting]) => [
    name,
    {
      require_system_group: setting.requiresSystemGroup,
      allow_internet_group: false,
      allow_nobody_group: setting.allowsNobody,
      allow_everyone_group: setting.allowsEveryone,
      default_group_name: setting.default === 'creator' ? `${kind}_creator` : setting.default,
      default_for_system_groups: kind === 'group' ? 'role:nobody' : null,
      allowed_system_groups: [...setting.allowedSystemGroups],
    },
  ]);
  return Object.fromEntries(entries);
}
