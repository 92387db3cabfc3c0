import type { Transaction } from '@parley/shared/db';
import { type DomainEvent, userSettingChanged } from '@parley/shared/events';
import type { User } from '@parley/shared/proto';
import {
  type SettingValue,
  USER_SETTING_DEFAULTS,
  type UserSettingName,
  type UserSettings,
} from '@parley/shared/values';
import { findChosenSettings, storeChosenSettings } from './user-settings.sql';

interface Holder {
  realmId: number;
  userId: number;
}

/** Those of the wanted values that are not what holds now. */
export function changesOf(chosen: Partial<UserSettings>, wanted: Partial<UserSettings>): Partial<UserSettings> {
  const isOther = ([name, value]: [UserSettingName, SettingValue]) =>
    value !== (chosen[name] ?? USER_SETTING_DEFAULTS[name]);
  return Object.fromEntries((Object.entries(wanted) as [UserSettingName, SettingValue][]).filter(isOther));
}

/**
 * Stores what an account wants otherwise, in a transaction that holds the account, and returns it. Who sees its address is no part
 * of it.
 */
export async function changeSettings(
  tx: Transaction,
  { realmId, userId }: Holder,
  wanted: Partial<UserSettings>,
): Promise<Partial<UserSettings>> {
  if (Object.keys(wanted).length === 0) return {};
  const changed = changesOf(await findChosenSettings(tx, realmId, userId), wanted);
  if (Object.keys(changed).length > 0) await storeChosenSettings(tx, realmId, userId, changed);
  return changed;
}

/** What is to be announced of changed settings, to the account itself. */
export function settingEvents(
  { realmId, id: userId, email }: Pick<User, 'realmId' | 'id' | 'email'>,
  changed: Partial<UserSettings>,
): DomainEvent[] {
  const entries = Object.entries(changed) as [UserSettingName, SettingValue][];
  return entries.map(([name, value]) => userSettingChanged(realmId, { userId, email, name, value }));
}
