import { USER_SETTING_NAMES } from '@parley/shared/values';
import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { text } from '../../http/parameters';
import { sentSettings, settingParameters } from './setting-parameters';

export const updateUserSettings = endpoint({
  method: 'PATCH',
  path: '/settings',
  summary: "Change the caller's own settings",
  auth: 'user',
  parameters: {
    ...settingParameters(USER_SETTING_NAMES),
    full_name: text(z.string().optional()),
    email: text(
      z
        .string()
        .optional()
        .describe('Another address: a link is mailed there, and nothing changes until it is opened.'),
    ),
    timezone: text(z.string().optional().describe('Name of the time zone database.')),
    old_password: text(z.string().optional()),
    new_password: text(z.string().optional().describe('Taken together with the old one only.')),
  },
  result: z.strictObject({}),
  errors: [],
  async handler({ services }, { call }, values) {
    await services.realm.updateUserSettings(call, {
      settings: sentSettings(values),
      ...(values.full_name !== undefined && { fullName: values.full_name }),
      ...(values.email !== undefined && { email: values.email }),
      ...(values.timezone !== undefined && { timezone: values.timezone }),
      ...(values.old_password !== undefined && { oldPassword: values.old_password }),
      ...(values.new_password !== undefined && { newPassword: values.new_password }),
    });
    return {};
  },
});
