import type { SettingValue, UserSettingName } from '../values';
import { declareEvent } from './declare-event';

export interface UserSettingsDefaultChanged {
  name: UserSettingName;
  value: SettingValue;
}

/** Accounts made from now on begin with another value. Public event `realm_user_settings_defaults`, for everybody. */
export const userSettingsDefaultChanged = declareEvent<UserSettingsDefaultChanged>()('user-settings-default.changed', [
  {
    type: 'realm_user_settings_defaults',
    audience: () => ({ to: 'realm' }),
    variant: () => '',
    render: ({ name, value }) => ({ type: 'realm_user_settings_defaults', op: 'update', property: name, value }),
  },
]);
