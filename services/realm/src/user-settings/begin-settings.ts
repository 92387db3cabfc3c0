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

type NewUser = Pick<User, 'id' | 'deliveryEmail'>;

/** Initializes an account's settings from its organization's defaults and the holder's choices. */
export async function beginSettings(
  tx: Transaction,
  realmId: number,
  user: NewUser,
  { timezone, emailAddressVisibility, settings }: Choices,
): Promise<void> {
  const usual = await copySettingsDefaults(tx, realmId, [user.id]);
  if (Object.keys(settings).length > 0) await storeChosenSettings(tx, realmId, user.id, settings);
  if (timezone !== '') await storeTimezone(tx, realmId, user.id, timezone);
  const visibility = emailAddressVisibility ?? usual;
  if (visibility !== null) await showEmails(tx, realmId, [user], visibility);
}

/** Initializes the settings of new accounts whose holders have not chosen any. */
export async function beginUsualSettings(tx: Transaction, realmId: number, users: readonly NewUser[]): Promise<void> {
  const userIds = users.map(({ id }) => id);
  const visibility = await copySettingsDefaults(tx, realmId, userIds);
  if (visibility !== null) await showEmails(tx, realmId, users, visibility);
}

async function showEmails(
  tx: Transaction,
  realmId: number,
  users: readonly NewUser[],
  visibility: number,
): Promise<void> {
  const shown = users.map((user) => ({ id: user.id, email: shownEmail(user, visibility) }));
  await storeEmailVisibility(tx, realmId, visibility, shown);
}

/** All settings with their effective values, as sent to other services. */
export function sentSettings(chosen: Partial<UserSettings>): UserSetting[] {
  return USER_SETTING_NAMES.map((name) => settingMessage(name, chosen[name] ?? USER_SETTING_DEFAULTS[name]));
}
