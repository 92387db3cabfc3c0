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

/** The wanted values that differ from the effective ones. */
export function changesOf(chosen: Partial<UserSettings>, wanted: Partial<UserSettings>): Partial<UserSettings> {
  const isOther = ([name, value]: [UserSettingName, SettingValue]) =>
    value !== (chosen[name] ?? USER_SETTING_DEFAULTS[name]);
  return Object.fromEntries((Object.entries(wanted) as [UserSettingName, SettingValue][]).filter(isOther));
}

/**
 * Stores changed settings, in a transaction that has locked the account, and returns them. The visibility of its address is handled
 * elsewhere.
 */
export async function changeSettings(
  tx: Transaction,
  { realmId, userId }: Holder,
  wanted: Partial<UserSettings>,
): Promise<Partial<UserSettings>> {
  if (Object.keys(wanted).length === 0) return {};
  const chosen = await findChosenSettings(tx, realmId, userId);
  // Also those that are the defaults: somebody who chooses English is not written to in the organization's language.
  const isNewChoice = Object.entries(wanted).some(([name, value]) => chosen[name as UserSettingName] !== value);
  if (isNewChoice) await storeChosenSettings(tx, realmId, userId, wanted);
  return changesOf(chosen, wanted);
}

/** The events of changed settings, to the account itself. */
export function settingEvents(
  { realmId, id: userId, email }: Pick<User, 'realmId' | 'id' | 'email'>,
  changed: Partial<UserSettings>,
): DomainEvent[] {
  const entries = Object.entries(changed) as [UserSettingName, SettingValue][];
  return entries.map(([name, value]) => userSettingChanged(realmId, { userId, email, name, value }));
}
