import type { UserSetting } from '@parley/shared/proto';
import {
  EMOJI_SETS,
  NOTIFICATION_SOUNDS,
  type SettingValue,
  settingValueOf,
  USER_SETTING_NAMES,
  USER_SETTINGS,
  type UserSettingName,
} from '@parley/shared/values';
import { z } from 'zod';

const settingFields = Object.fromEntries(USER_SETTING_NAMES.map((name) => [name, schemaOf(name)])) as Record<
  UserSettingName,
  z.ZodType<SettingValue>
>;

/** Every setting, with the choices of clients for some. */
export const settingsSchema = z.strictObject({
  ...settingFields,
  available_notification_sounds: z.array(z.string()),
  emojiset_choices: z.array(z.strictObject({ key: z.string(), text: z.string() })),
});

export const ownSettingsSchema = settingsSchema.extend({ timezone: z.string() });

function schemaOf(name: UserSettingName): z.ZodType<SettingValue> {
  const { default: value } = USER_SETTINGS[name];
  if (typeof value === 'boolean') return z.boolean();
  return typeof value === 'number' ? z.int() : z.string();
}

/** Settings, as in POST /register. */
export function publicSettings(settings: readonly UserSetting[]): z.infer<typeof settingsSchema> {
  const values = settings.map((setting) => [setting.name, settingValueOf(setting)]);
  return {
    ...(Object.fromEntries(values) as Record<UserSettingName, SettingValue>),
    available_notification_sounds: [...NOTIFICATION_SOUNDS],
    emojiset_choices: [...EMOJI_SETS],
  };
}

export const navigationViewSchema = z.strictObject({
  fragment: z.string(),
  is_pinned: z.boolean(),
  name: z.string().nullable().describe('Null for views that clients bring along.'),
});
