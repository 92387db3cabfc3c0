import { headers, type MsgHdrs } from 'nats';
import type { Database, Sql } from '../db';
import { BadRequestError } from '../errors';
import { actPerformed, consumedKinds, DEPLOYMENT } from '../events';
import type { RefillLogRequest, RefillLogResponse } from '../proto';
import { announce } from './announce';
import type { Bus } from './bus';
import {
  countForRefill,
  loadBeginning,
  loadForRefill,
  type OutboxProgress,
  type OutboxRow,
  requestRefill,
  saveRefilling,
} from './outbox.sql';
import { recordOf, toRecords } from './records';

/** Ids read at once, of any kind. */
const IDS_AT_ONCE = 5_000;
const PUBLISHED_AT_ONCE = 64;
const TIMEOUT_MS = 5_000;
const REFILLED = 'Refilled';
const NOTHING_TO_REFILL = { refilledUpTo: null, refillUpTo: null };

/** Whether a record is a refilled one, which is for consumers only. */
export function isRefilled(message: { headers?: MsgHdrs | undefined }): boolean {
  return message.headers?.has(REFILLED) === true;
}

/** Requests that all stored rows published so far are published again. */
export async function beginRefill(sql: Sql, progress: OutboxProgress): Promise<void> {
  const beginning = await loadBeginning(sql);
  const { publishedUpTo } = progress;
  const hasRows = beginning < publishedUpTo;
  Object.assign(progress, hasRows ? { refilledUpTo: beginning, refillUpTo: publishedUpTo } : NOTHING_TO_REFILL);
  await saveRefilling(sql, progress);
}

/**
 * Publishes again the events on which services act, in order, marked so that clients do not get them: their queues belong to the
 * lost log. Any relay can continue it; events published twice thereby are handled once.
 */
export async function refill(
  sql: Sql,
  progress: OutboxProgress,
  { bus, service, isStopping }: { bus: Bus; service: string; isStopping(): boolean },
): Promise<void> {
  const { refillUpTo } = progress;
  if (refillUpTo === null) return;
  let from = progress.refilledUpTo ?? 0;
  do {
    const upTo = Math.min(from + IDS_AT_ONCE, refillUpTo);
    await publishAgain(bus, service, await loadForRefill(sql, { from, upTo, kinds: consumedKinds }));
    from = upTo;
    Object.assign(progress, from < refillUpTo ? { refilledUpTo: from } : NOTHING_TO_REFILL);
    await saveRefilling(sql, progress);
  } while (from < refillUpTo && !isStopping());
}

/** Several concurrently: on one connection the broker gets them in this order. */
async function publishAgain(bus: Bus, service: string, rows: readonly OutboxRow[]): Promise<void> {
  const marked = headers();
  marked.set(REFILLED, 'true');
  const records = toRecords(rows);
  for (let begin = 0; begin < records.length; begin += PUBLISHED_AT_ONCE) {
    const publishing = records.slice(begin, begin + PUBLISHED_AT_ONCE).map((record) => {
      const [{ realmId, kind }] = record as [OutboxRow];
      const options = { headers: marked, timeout: TIMEOUT_MS };
      return bus.js.publish(bus.subject(realmId, kind), recordOf(service, record).body, options);
    });
    await Promise.all(publishing);
  }
}

/**
 * Requests a full republish of the events on which services act, as after a loss of the log, by the replica that publishes.
 * Handled events are skipped, those set aside are retried. Clients do not get them. For the operator's command; rejects if one is
 * already running.
 */
export async function refillLog(
  db: Database,
  { service, requestId }: { service: string; requestId: string },
  { isDry }: RefillLogRequest,
): Promise<RefillLogResponse> {
  const events = await countForRefill(db, consumedKinds);
  if (isDry || events === 0) return { events };
  await db.transaction(async (tx) => {
    if (!(await requestRefill(tx))) throw new BadRequestError(`The log is being refilled by ${service} already.`);
    const subject = { kind: 'deployment', ids: [DEPLOYMENT], after: { service, events } };
    await announce(
      tx,
      actPerformed(DEPLOYMENT, { name: 'refill-log', actor: { kind: 'operator' }, requestId, ...subject }),
    );
  });
  return { events };
}
