import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from '../db';
import { ServiceUnavailableError } from '../errors';
import type { EventCause } from '../events';
import type { Logger } from '../observability';
import { type BackOff, pauseMs } from '../values';
import { deleteHandled, findHandled, insertHandled } from './handled-event.sql';
import { LOG_RETENTION_HOURS } from './log-stream';
import type { LogRecord } from './records';

/** An event as a listener gets it. */
export interface ConsumedEvent<Payload> {
  /** Equal in all deliveries of the event: `<service>:<outbox id>`. */
  id: string;
  realmId: number;
  payload: Payload;
  /** For events that this one causes, see causedBy(); absent if the event's transaction is unknown. */
  cause?: EventCause;
}

export interface RetryPolicy {
  /** Number of retries after failures, and the pauses between them; then the event is set aside. */
  retries: number;
  backOff: BackOff;
  /** Delay between attempts while a called service is unreachable; these attempts are unlimited. */
  unreachableDelayMs: number;
}

const RETRY_POLICY: RetryPolicy = { retries: 4, backOff: { firstMs: 200, growth: 4 }, unreachableDelayMs: 1_000 };

interface Handling<Payload> {
  handle(events: ConsumedEvent<Payload>[]): Promise<void>;
  /** Null: the handler recognizes handled events itself. */
  handled: Pick<HandledEvents, 'find' | 'note'> | null;
  log: Logger;
  retryPolicy?: RetryPolicy;
  stopping: AbortSignal;
}

/** Handles those events of a record that were not handled before; false if another replica is handling it. */
export async function handleRecord<Payload>(record: LogRecord, handling: Handling<Payload>): Promise<boolean> {
  const { retryPolicy = RETRY_POLICY, log } = handling;
  const events = eventsOf<Payload>(record);
  const handle = (some: ConsumedEvent<Payload>[]) => handleNew(record.service, some, handling);
  let outcome = await attempt(events, { ...handling, handle, retryPolicy });
  if (outcome === 'done') return true;
  if (outcome === 'stopped') return false;
  // Some of them have caused the failure; handle each separately, for the sake of the others.
  for (const event of events) {
    if (events.length > 1)
      outcome = await attempt([event], { ...handling, handle, retryPolicy: { ...retryPolicy, retries: 0 } });
    if (outcome === 'stopped') return false;
    if (outcome !== 'done') log.error({ err: outcome.error, kind: record.kind, event: event.id }, 'event set aside');
  }
  return true;
}

function eventsOf<Payload>({ service, realmId, ids, transactionIds, payloads }: LogRecord): ConsumedEvent<Payload>[] {
  return payloads.map((payload, index) => {
    const transactionId = transactionIds?.[index] ?? null;
    return {
      id: `${service}:${ids[index]}`,
      realmId,
      payload: payload as Payload,
      ...(transactionId !== null && { cause: { service, transactionId } }),
    };
  });
}

/** The log delivers records again after it has lost its end, or was refilled. */
async function handleNew<Payload>(
  service: string,
  events: ConsumedEvent<Payload>[],
  { handle, handled }: Handling<Payload>,
): Promise<void> {
  if (handled === null) return handle(events);
  const known = await handled.find({ service, ids: events.map(numberOf) });
  const fresh = events.filter((event) => !known.has(numberOf(event)));
  if (fresh.length === 0) return;
  await handle(fresh);
  await handled.note({ service, ids: fresh.map(numberOf) });
}

function numberOf({ id }: { id: string }): number {
  return Number(id.slice(id.lastIndexOf(':') + 1));
}

type Outcome = 'done' | 'stopped' | { error: unknown };

async function attempt<Payload>(
  events: ConsumedEvent<Payload>[],
  { handle, log, stopping, retryPolicy }: Omit<Required<Handling<Payload>>, 'handled'>,
): Promise<Outcome> {
  let failures = 0;
  for (;;) {
    try {
      await handle(events);
      return 'done';
    } catch (error) {
      const isUnreachable = error instanceof ServiceUnavailableError;
      if (!isUnreachable) failures += 1;
      if (failures > retryPolicy.retries) return { error };
      log.warn({ err: error, event: events[0]?.id }, 'events could not be handled; retrying');
      await sleep(isUnreachable ? retryPolicy.unreachableDelayMs : pauseMs(retryPolicy.backOff, failures), undefined, {
        signal: stopping,
      }).catch(() => {});
      if (stopping.aborted) return 'stopped';
    }
  }
}

const EXPIRE_EVERY_MS = 10 * 60_000;
/** A day longer than any outbox keeps rows that it could publish again. */
const LIFE_HOURS = LOG_RETENTION_HOURS + 24;

/** The ids of events, and the service that announced them. */
interface EventIds {
  service: string;
  ids: readonly number[];
}

/**
 * The events that a consumer has handled, stored in its service's database, so that a refilled log, or one read from its
 * beginning, has no effect twice.
 */
export class HandledEvents {
  #expireAtMs = 0;

  constructor(
    private readonly sql: Sql,
    private readonly consumer: string,
  ) {}

  find({ service, ids }: EventIds): Promise<Set<number>> {
    return findHandled(this.sql, this.consumer, service, ids);
  }

  async note({ service, ids }: EventIds): Promise<void> {
    await insertHandled(this.sql, this.consumer, service, ids);
    await this.expire();
  }

  /** Notes events of one service in the transaction of their effect; returns those that were not handled before. */
  async noteIn<Event extends { id: string }>(tx: Sql, events: readonly Event[]): Promise<Event[]> {
    const [first] = events;
    if (!first) return [];
    const service = first.id.slice(0, first.id.lastIndexOf(':'));
    const fresh = await insertHandled(tx, this.consumer, service, events.map(numberOf).sort(ascending));
    return events.filter((event) => fresh.has(numberOf(event)));
  }

  /** Deletes old entries, now and then. */
  async expire(): Promise<void> {
    if (performance.now() < this.#expireAtMs) return;
    const hasMore = await deleteHandled(this.sql, LIFE_HOURS);
    if (!hasMore) this.#expireAtMs = performance.now() + EXPIRE_EVERY_MS;
  }
}

// Transactions that note the same events wait for one another instead of deadlocking.
const ascending = (a: number, b: number) => a - b;
