import type { Transaction } from '@parley/shared/db';
import { type DomainEvent, realmChanged } from '@parley/shared/events';
import { NO_CHANNEL, REALM_SETTING_NAMES, REALM_SETTINGS, type RealmSettings } from '@parley/shared/values';
import { loadRealmSettings, storeRealmSettings } from './realms.sql';

/**
 * Removes an archived channel from the organization's settings, in a transaction that locked the organization's row before the channel's;
 * returns the events to announce.
 */
export async function forgetChannel(tx: Transaction, realmId: number, channelId: number): Promise<DomainEvent[]> {
  const present = await loadRealmSettings(tx, realmId);
  const names = REALM_SETTING_NAMES.filter((name) => REALM_SETTINGS[name].isChannel && present[name] === channelId);
  if (names.length === 0) return [];
  const settings: Partial<RealmSettings> = Object.fromEntries(names.map((name) => [name, NO_CHANNEL]));
  await storeRealmSettings(tx, realmId, settings);
  return [realmChanged(realmId, { settings, groupSettings: {} })];
}
