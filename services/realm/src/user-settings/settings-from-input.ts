import { BadRequestError } from '@parley/shared/errors';
import type { UserSetting as SentSetting } from '@parley/shared/proto';
import {
  isUserSettingName,
  type SettingValue,
  settingValueOf,
  USER_SETTINGS,
  type UserSetting,
  type UserSettingName,
  type UserSettings,
} from '@parley/shared/values';

const TYPE_NAMES: Record<string, string> = { boolean: 'a boolean', number: 'an integer', string: 'a string' };

/** Settings with their own error texts. */
const REFUSALS: Partial<Record<UserSettingName, (value: SettingValue) => string>> = {
  default_language: () => 'Invalid default_language',
  notification_sound: (value) => `Invalid notification sound '${value}'`,
  email_notifications_batching_period_seconds: (value) => `Invalid email batching period: ${value} seconds`,
};

/** The validated settings of a request. */
export function settingsFromInput(sent: readonly SentSetting[]): Partial<UserSettings> {
  return Object.fromEntries(
    sent.map((setting) => {
      const { name } = setting;
      if (!isUserSettingName(name)) throw new BadRequestError(`There is no setting '${name}'`);
      return [name, settingFromInput(name, settingValueOf(setting))];
    }),
  );
}

/** The validated defaults of a request, for new accounts. */
export function settingsDefaultsFromInput(sent: readonly SentSetting[]): Partial<UserSettings> {
  const personal = sent.find(({ name }) => isUserSettingName(name) && USER_SETTINGS[name].isPersonal);
  if (personal) throw new BadRequestError(`Organizations have no default for '${personal.name}'`);
  return settingsFromInput(sent);
}

function settingFromInput(name: UserSettingName, sent: SettingValue | undefined): SettingValue {
  const setting = USER_SETTINGS[name];
  const type = typeof setting.default;
  if (sent === undefined || typeof sent !== type) throw new BadRequestError(`${name} is not ${TYPE_NAMES[type]}`);
  const value = setting.formerChoices?.[String(sent)] ?? sent;
  const fault = faultOf(name, setting, value);
  if (fault !== null) throw new BadRequestError(REFUSALS[name]?.(value) ?? fault);
  return value;
}

function faultOf(name: string, { choices, range, isValid }: UserSetting, value: SettingValue): string | null {
  if (choices && !choices.includes(value)) return `Invalid ${name}: Value error, Not in the list of possible values`;
  if (isValid && !isValid(String(value))) return `Invalid ${name}`;
  if (range && Number(value) < range.min) return `${name} is too small`;
  if (range && Number(value) > range.max) return `${name} is too large`;
  return null;
}

const MAX_LENGTH = 50;
/** Names of the time zone database; excludes offsets, which Intl accepts. */
const NAME = /^[A-Za-z][A-Za-z0-9_+/-]*$/;

/** The normalized time zone, in the database's spelling if Intl knows it. */
export function timezoneFromInput(name: string): string {
  const canonical = name.length <= MAX_LENGTH && NAME.test(name) ? findTimezone(name) : null;
  if (canonical === null) throw new BadRequestError('Invalid timezone: Value error, Not a recognized time zone');
  // Former names of zones are kept: clients that send one may not know the new one.
  return canonical.toLowerCase() === name.toLowerCase() ? canonical : name;
}

function findTimezone(name: string): string | null {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}
