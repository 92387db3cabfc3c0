import { PERMISSION_SETTINGS, type PermissionSetting } from '@parley/shared/access';
import { z } from 'zod';

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

/** To whom each permission can be given, as clients that offer the choice want it. */
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
