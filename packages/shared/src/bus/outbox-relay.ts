import { type Database, type Sql, withAdvisoryLock } from '../db';
import type { Logger } from '../service';
import { type Bus, LOG_RETENTION_HOURS } from './bus';
import { Gaps } from './gaps';
import {
  countUnpublished,
  deleteExpired,
  loadNext,
  loadProgress,
  loadRows,
  type OutboxRow,
  preferIndexes,
  saveAndLoadNext,
  saveProgress,
} from './outbox.sql';
import { recordBody, toRecords } from './records';
import { createSignal } from './signal';

export interface OutboxRelay {
  start(): void;
  /** Resolves once everything committed so far is published. For tests and graceful stop. */
  drain(): Promise<void>;
  stop(): Promise<void>;
}

export interface OutboxRelayOptions {
  service: string;
  database: Database;
  bus: Bus;
  log: Logger;
}

const POLL_MS = 500;
const RETRY_MS = 200;
const EXPIRE_EVERY_MS = 10 * 60_000;
/** After which the publish is repeated; the stable id makes that harmless. */
const PUBLISH_TIMEOUT_MS = 1_000;

/**
 * Publishes a service's outbox to the event log: after commit, in commit order, at least once with a stable `Nats-Msg-Id`. Of
 * several replicas one does it, whoever holds the advisory lock; commits anywhere wake it over NATS, and it looks by itself
 * twice a second. While NATS is away the rows wait.
 */
export function createOutboxRelay({ service, database, bus, log }: OutboxRelayOptions): OutboxRelay {
  const wakeSubject = `${bus.prefix}outbox.${service}.wake`;
  const signal = createSignal();
  let isStopping = false;
  let isLeading = false;
  let running: Promise<void> | undefined;

  async function lead(sql: Sql): Promise<void> {
    isLeading = true;
    const leader = await takeOver(sql, bus, service);
    let expireAt = 0;
    while (!isStopping) {
      if (await leader.publishNext()) continue;
      if (Date.now() > expireAt) {
        await deleteExpired(sql, LOG_RETENTION_HOURS);
        expireAt = Date.now() + EXPIRE_EVERY_MS;
      }
      await signal.wait(POLL_MS);
    }
    await leader.save();
  }

  async function loop(): Promise<void> {
    const subscription = bus.connection.subscribe(wakeSubject, { callback: () => signal.raise() });
    while (!isStopping) {
      try {
        const hasLed = await withAdvisoryLock(database.url, 'outbox-relay', lead);
        isLeading = false;
        if (!hasLed) await signal.wait(POLL_MS);
      } catch (error) {
        isLeading = false;
        if (!isStopping) log.warn({ err: error }, 'outbox relay interrupted; trying again');
        await signal.wait(RETRY_MS);
      }
    }
    subscription.unsubscribe();
  }

  return {
    start() {
      database.onAnnounced = () => {
        signal.raise();
        // Who leads need not tell the others.
        if (!isLeading && !bus.connection.isClosed()) bus.connection.publish(wakeSubject);
      };
      running = loop();
    },
    async drain() {
      while ((await countUnpublished(database)) > 0) {
        signal.raise();
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
    },
    async stop() {
      isStopping = true;
      signal.raise();
      await running;
    },
  };
}

interface Leader {
  /** Publishes what has become visible; false when there is nothing. */
  publishNext(): Promise<boolean>;
  /** Notes what was published, which otherwise happens together with looking for more. */
  save(): Promise<void>;
}

/** Continues where the former leader stopped: what it had chosen to publish is published first, unchanged. */
async function takeOver(sql: Sql, bus: Bus, service: string): Promise<Leader> {
  await preferIndexes(sql);
  const progress = await loadProgress(sql);
  const gaps = new Gaps(progress.gaps);
  const rows = new Map((await loadRows(sql, progress.pending.flat())).map((row) => [row.id, row]));
  for (const ids of progress.pending)
    await publish(
      bus,
      service,
      ids.map((id) => rows.get(id) as OutboxRow),
    );
  let isSaved = progress.pending.length === 0;
  progress.pending = [];

  async function loadAndSave(): Promise<OutboxRow[]> {
    if (await gaps.forgetDead(sql)) isSaved = false;
    progress.gaps = gaps.ids;
    const next = isSaved ? await loadNext(sql, progress) : await saveAndLoadNext(sql, progress);
    isSaved = true;
    return next;
  }

  return {
    async publishNext() {
      const next = await loadAndSave();
      const last = next.at(-1);
      if (last === undefined) return false;
      gaps.notice(
        next.map(({ id }) => id),
        progress.publishedUpTo,
      );
      const records = toRecords(next);
      progress.publishedUpTo = Math.max(progress.publishedUpTo, last.id);
      progress.gaps = gaps.ids;
      progress.pending = records.map((record) => record.map(({ id }) => id));
      await saveProgress(sql, progress);
      for (const record of records) await publish(bus, service, record);
      progress.pending = [];
      isSaved = false;
      return true;
    },
    async save() {
      if (!isSaved) await saveProgress(sql, progress);
    },
  };
}

/** Publishes a record and waits for the acknowledgement: the log's order is the outbox's. */
async function publish(bus: Bus, service: string, record: readonly OutboxRow[]): Promise<void> {
  const [first] = record as [OutboxRow];
  const subject = bus.subject(first.realmId, first.kind);
  const body = recordBody(service, record);
  const options = { msgID: `${service}:${first.id}`, timeout: PUBLISH_TIMEOUT_MS };
  try {
    await bus.js.publish(subject, body, options);
  } catch (error) {
    // 503: nobody listens on the subject, because the stream is gone.
    if ((error as { code?: string }).code !== '503') throw error;
    await bus.ensureStream();
    await bus.js.publish(subject, body, options);
  }
}
