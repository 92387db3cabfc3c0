import type { Transaction } from '../db';
import type { DomainEvent, EphemeralEvent } from '../events';
import { inSpan, type Logger, traceparent } from '../observability';
import type { Bus } from './bus';
import { insertEvents } from './outbox.sql';
import type { LogRecord } from './records';
import { publishSpan, traceHeaders } from './traces';

/**
 * Announces an event, in the transaction of its change: the only way a change becomes an event. Called last in an
 * action, so that the outbox has the events of transactions that waited for one another in that order.
 */
export async function announce(tx: Transaction, ...events: DomainEvent[]): Promise<void> {
  if (events.length === 0) return;
  await insertEvents(tx, events);
  tx.hasAnnounced = true;
}

const TIMEOUT_MS = 1_000;

/**
 * Publishes an event that is declared ephemeral, without the outbox: only for typing and presence, where a lost report is
 * replaced by the next one. Everything else uses announce(). Resolves when the event is in the log, from where the events service
 * delivers it like any other, or when it is lost because the broker is unreachable. `transactionId`: the transaction that stored
 * the event's change, if that change is part of the state of POST /register.
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
