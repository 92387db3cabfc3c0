import type { Transaction } from '@parley/shared/db';
import { type Audience, type DomainEvent, presenceChanged } from '@parley/shared/events';
import { PRESENCE } from '@parley/shared/values';
import { storePresence } from './presence.sql';

/** So much earlier than needed they were there last, for all that others get to see: clocks of clients differ. */
const MARGIN_SECS = 120;
const HIDDEN_SINCE_MS = (PRESENCE.offlineThresholdSecs + MARGIN_SECS) * 1000;

export interface Visibility {
  isShown: boolean;
  /** Those who know the user. */
  audience: Audience;
  nowMs: number;
}

/**
 * Somebody hides whether they are there, or no longer does, in a transaction that holds the account: they are gone, or there, at once.
 * Everybody is told, however many there are.
 */
export async function followPresenceSetting(
  tx: Transaction,
  holder: { realmId: number; userId: number },
  { isShown, audience, nowMs }: Visibility,
): Promise<DomainEvent[]> {
  const times = isShown
    ? { activeAtMs: nowMs, connectedAtMs: nowMs }
    : { activeAtMs: null, connectedAtMs: nowMs - HIDDEN_SINCE_MS };
  const { email, ...presence } = await storePresence(tx, holder, times);
  return [presenceChanged(holder.realmId, { presence, email, audience, toldAtMs: nowMs })];
}
