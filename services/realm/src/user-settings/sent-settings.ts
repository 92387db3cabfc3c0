import type { UserSetting } from '@parley/shared/proto';
import { settingMessage, USER_SETTING_DEFAULTS, USER_SETTING_NAMES, type UserSettings } from '@parley/shared/values';

/** Every setting with the value that holds, as it is sent to other services. */
export function sentSettings(chosen: Partial<UserSettings>): UserSetting[] {
  return USER_SETTING_NAMES.map((name) => settingMessage(name, chosen[name] ?? USER_SETTING_DEFAULTS[name]));
}
