import type { UserSetting as UserSettingMessage } from '../proto';
import type { SettingValue, UserSettingName } from './user-settings';

/** A setting's value as it travels between services; called by the gateway and by realm. */
export function settingMessage(name: UserSettingName, value: SettingValue): UserSettingMessage {
  if (typeof value === 'boolean') return { name, boolean: value };
  return typeof value === 'number' ? { name, integer: value } : { name, text: value };
}

/** The inverse of settingMessage; undefined when a message holds no value. */
export function settingValueOf({ boolean, integer, text }: UserSettingMessage): SettingValue | undefined {
  return boolean ?? integer ?? text;
}
