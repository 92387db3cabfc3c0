import { isFormerSetting, languageName, type SettingValue, type UserSettingName } from '../values';
import { type ClientView, declareEvent } from './declare-event';

export interface UserSettingChanged {
  userId: number;
  /** The API address, for clients of old; absent in records of before. */
  email?: string;
  name: UserSettingName;
  value: SettingValue;
}

/** Whether a client finds its settings in an object of their own; others know them as members of the state. */
export function knowsSettingsObject({ capabilities }: ClientView): boolean {
  return capabilities.includes('user_settings_object');
}

const language = ({ name, value }: UserSettingChanged) =>
  name === 'default_language' ? { language_name: languageName(String(value)) } : {};

/**
 * A user has set something for themselves. Public event `user_settings`, for that user; for clients of old, which get both, also
 * `update_display_settings` or `update_global_notifications`.
 */
export const userSettingChanged = declareEvent<UserSettingChanged>()('user-setting.changed', [
  {
    type: 'user_settings',
    audience: ({ userId }) => ({ to: 'users', userIds: [userId] }),
    variant: () => '',
    render: (payload) => ({
      type: 'user_settings',
      op: 'update',
      property: payload.name,
      value: payload.value,
      ...language(payload),
    }),
  },
  {
    type: 'update_display_settings',
    audience: ({ userId }) => ({ to: 'users', userIds: [userId] }),
    isFor: ({ email, name }, view) =>
      email !== undefined && isFormerSetting('update_display_settings', name) && !knowsSettingsObject(view),
    variant: () => '',
    render: (payload) => ({
      type: 'update_display_settings',
      user: payload.email,
      setting_name: payload.name,
      setting: payload.value,
      ...language(payload),
    }),
  },
  {
    type: 'update_global_notifications',
    audience: ({ userId }) => ({ to: 'users', userIds: [userId] }),
    isFor: ({ email, name }, view) =>
      email !== undefined && isFormerSetting('update_global_notifications', name) && !knowsSettingsObject(view),
    variant: () => '',
    render: ({ email, name, value }) => ({
      type: 'update_global_notifications',
      user: email,
      notification_name: name,
      setting: value,
    }),
  },
]);
