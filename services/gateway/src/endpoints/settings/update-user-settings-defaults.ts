import { USER_SETTING_NAMES, USER_SETTINGS } from '@parley/shared/values';
import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { sentSettings, settingParameters } from './setting-parameters';

export const updateUserSettingsDefaults = endpoint({
  method: 'PATCH',
  path: '/realm/user_settings_defaults',
  summary: 'Change the settings that accounts begin with; for administrators',
  auth: 'user',
  parameters: settingParameters(USER_SETTING_NAMES.filter((name) => !USER_SETTINGS[name].isPersonal)),
  result: z.strictObject({}),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  async handler({ services }, { call }, values) {
    await services.realm.updateUserSettingsDefaults(call, { settings: sentSettings(values) });
    return {};
  },
});
