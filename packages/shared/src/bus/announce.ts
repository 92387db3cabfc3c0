import type { Transaction } from '../db';
import type { DomainEvent, EphemeralEvent } from '../events';
import { inSpan, type Logger, traceparent } from '../observability';
import type { Bus } from './bus';
import { insertEvents } from './outbox.sql';
import type { LogRecord } from './records';
import { publishSpan, traceHeaders } from './traces';

/**
 * Announces what has happened, in the transaction in which it happens: the only way a change becomes an event. Called last in an
 * action, so that the events of transactions that waited for one another stand in the outbox in that order.
 */
export async function announce(tx: Transaction, ...events: DomainEvent[]): Promise<void> {
  if (events.length === 0) return;
  await insertEvents(tx, events);
  tx.hasAnnounced = true;
}

const TIMEOUT_MS = 1_000;

/**
 * Publishes an event that is declared ephemeral, without the outbox: only for typing and presence, where the next report makes up for a
 * lost one. Everything else goes through announce(). Resolves once the event is in the log, where the events service serves it like any
 * other; also when the broker is unreachable, and the event is lost. `transactionId`: the transaction that stored the event's change, if
 * the change is part of the state that clients begin with.
 */
export async function announceEphemeral(
  { bus, log }: { bus: Bus; log: Logger },
  service: string,
  { realmId, kind, payload }: EphemeralEvent,
  transactionId: number | null = null,
): Promise<void> {
  const origin = transactionId !== null && { transactionIds: [transactionId] };
  const record: LogRecord = { service, kind, realmId, ids: [], ...origin, payloads: [payload] };
  try {
    await inSpan(publishSpan(kind), () => {
      const options = { timeout: TIMEOUT_MS, ...traceHeaders([traceparent()]) };
      return bus.js.publish(bus.subject(realmId, kind), JSON.stringify(record), options);
    });
  } catch (error) {
    log.warn({ err: error, kind }, 'an ephemeral event was lost');
  }
}
