import type { Transaction } from '@parley/shared/db';
import type { User, UserSetting } from '@parley/shared/proto';
import { settingMessage, USER_SETTING_DEFAULTS, USER_SETTING_NAMES, type UserSettings } from '@parley/shared/values';
import { shownEmail } from '../accounts/email-address';
import { copySettingsDefaults, storeChosenSettings, storeEmailVisibility, storeTimezone } from './user-settings.sql';

/** Choices of a new user. */
export interface Choices {
  /** Empty: none. */
  timezone: string;
  /** Null: the organization's default. */
  emailAddressVisibility: number | null;
  settings: Partial<UserSettings>;
}

export const NO_CHOICES: Choices = { timezone: '', emailAddressVisibility: null, settings: {} };

/** Initializes an account's settings from its organization's defaults and the holder's choices. */
export async function beginSettings(
  tx: Transaction,
  realmId: number,
  user: Pick<User, 'id' | 'deliveryEmail'>,
  { timezone, emailAddressVisibility, settings }: Choices,
): Promise<void> {
  const usual = await copySettingsDefaults(tx, realmId, user.id);
  if (Object.keys(settings).length > 0) await storeChosenSettings(tx, realmId, user.id, settings);
  if (timezone !== '') await storeTimezone(tx, realmId, user.id, timezone);
  const visibility = emailAddressVisibility ?? usual;
  if (visibility === null) return;
  await storeEmailVisibility(tx, realmId, user.id, { visibility, email: shownEmail(user, visibility) });
}

/** All settings with their effective values, as sent to other services. */
export function sentSettings(chosen: Partial<UserSettings>): UserSetting[] {
  return USER_SETTING_NAMES.map((name) => settingMessage(name, chosen[name] ?? USER_SETTING_DEFAULTS[name]));
}
