import { LANGUAGES, type SettingValue, type UserSettingName } from '../values';
import { declareEvent } from './declare-event';

export interface UserSettingChanged {
  userId: number;
  name: UserSettingName;
  value: SettingValue;
}

/** A user has set something for themselves. Public event `user_settings`, for that user. */
export const userSettingChanged = declareEvent<UserSettingChanged>()('user-setting.changed', [
  {
    type: 'user_settings',
    audience: ({ userId }) => ({ to: 'users', userIds: [userId] }),
    variant: () => '',
    render: ({ name, value }) => ({
      type: 'user_settings',
      op: 'update',
      property: name,
      value,
      ...(name === 'default_language' && { language_name: LANGUAGES[String(value)] }),
    }),
  },
]);
