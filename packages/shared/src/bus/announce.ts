import type { Transaction } from '../db';
import type { DomainEvent } from '../events';
import { insertEvents } from './outbox.sql';

/**
 * Announces what has happened, in the transaction in which it happens: the only way a change becomes an event. Called last in an
 * action, so that the events of transactions that waited for one another stand in the outbox in that order.
 */
export async function announce(tx: Transaction, ...events: DomainEvent[]): Promise<void> {
  if (events.length === 0) return;
  await insertEvents(tx, events);
  tx.hasAnnounced = true;
}
