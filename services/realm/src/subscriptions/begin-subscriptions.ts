import type { Transaction } from '@parley/shared/db';
import { type DomainEvent, subscriptionChanged } from '@parley/shared/events';
import { type NewSubscription, openSubscriptions } from './subscriptions.sql';

/**
 * Subscribes users to channels and returns what is to be announced in the same transaction. The caller holds the channels' rows
 * and names nobody who is subscribed already.
 */
export async function beginSubscriptions(
  tx: Transaction,
  realmId: number,
  subscriptions: readonly NewSubscription[],
): Promise<DomainEvent[]> {
  if (subscriptions.length === 0) return [];
  const changes = await openSubscriptions(tx, realmId, subscriptions);
  return changes.map((change) => subscriptionChanged(realmId, { ...change, unsubscribedIds: [] }));
}
