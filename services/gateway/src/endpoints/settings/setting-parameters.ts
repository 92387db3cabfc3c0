import type { UserSetting } from '@parley/shared/proto';
import {
  type SettingValue,
  settingMessage,
  USER_SETTING_NAMES,
  USER_SETTINGS,
  type UserSettingName,
} from '@parley/shared/values';
import { z } from 'zod';
import { json, type Parameter, text } from '../../http/parameters';

type SettingParameter = Parameter<SettingValue | undefined, SettingValue | undefined>;

/** Parameters for settings of those names: their types are checked here, their values by realm, in the API's words. */
export function settingParameters(names: readonly UserSettingName[]): Record<UserSettingName, SettingParameter> {
  return Object.fromEntries(names.map((name) => [name, parameterOf(name)])) as Record<
    UserSettingName,
    SettingParameter
  >;
}

function parameterOf(name: UserSettingName): SettingParameter {
  const { default: value, choices } = USER_SETTINGS[name];
  const described = choices ? { enum: [...choices] } : {};
  if (typeof value === 'boolean') return json(z.boolean().optional().meta(described));
  return typeof value === 'number'
    ? json(z.int().optional().meta(described))
    : text(z.string().optional().meta(described));
}

/** Those settings that a request wants otherwise. */
export function sentSettings(values: Partial<Record<UserSettingName, SettingValue | undefined>>): UserSetting[] {
  return USER_SETTING_NAMES.flatMap((name) => {
    const value = values[name];
    return value === undefined ? [] : [settingMessage(name, value)];
  });
}
