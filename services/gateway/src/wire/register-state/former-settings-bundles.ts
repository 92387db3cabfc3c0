import type { PersonalState, RegisterState } from '@parley/shared/proto';
import { FORMER_USER_SETTINGS, type FormerSettingsType } from '@parley/shared/values';
import { z } from 'zod';
import { publicSettings, settingsSchema } from '../user-settings';
import { type Bundle, bundle } from './bundle';

type FieldName = (typeof FORMER_USER_SETTINGS)[FormerSettingsType][number] | ChoiceName;
type ChoiceName = 'available_notification_sounds' | 'emojiset_choices';

const FIELDS: Readonly<Record<FormerSettingsType, readonly FieldName[]>> = {
  update_display_settings: [...FORMER_USER_SETTINGS.update_display_settings, 'emojiset_choices'],
  update_global_notifications: [...FORMER_USER_SETTINGS.update_global_notifications, 'available_notification_sounds'],
};

const DEPRECATED = 'Deprecated: see user_settings. Absent for clients with the capability `user_settings_object`.';

/** Settings as members of the state, where clients without the capability `user_settings_object` look for them. */
function formerSettings(type: FormerSettingsType): Bundle {
  const { shape } = settingsSchema;
  return bundle({
    type,
    fields: Object.fromEntries(FIELDS[type].map((name) => [name, (shape[name] as z.ZodType).describe(DEPRECATED)])),
    present: (state, { capabilities }) => (capabilities.has('user_settings_object') ? {} : valuesOf(state, type)),
  });
}

function valuesOf(state: RegisterState, type: FormerSettingsType): Record<string, unknown> {
  const settings = publicSettings((state.personal as PersonalState).settings);
  const entries = FIELDS[type].map((name) => [name, settings[name]]);
  return {
    ...Object.fromEntries(entries),
    ...(type === 'update_display_settings' && { timezone: state.ownUser?.timezone ?? '' }),
  };
}

export const formerSettingsBundles = [
  formerSettings('update_display_settings'),
  formerSettings('update_global_notifications'),
];

export const formerSettingsFields: z.ZodRawShape = {
  ...Object.assign({}, ...formerSettingsBundles.map(({ fields }) => fields)),
  timezone: z.string().describe(DEPRECATED),
};
