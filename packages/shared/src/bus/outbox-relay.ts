import { type Database, type Sql, withAdvisoryLock } from '../db';
import type { Logger } from '../service';
import { type Bus, LOG_RETENTION_HOURS } from './bus';
import {
  countUnpublished,
  deleteExpired,
  loadClaimed,
  markPublished,
  markPublishedAndClaim,
  type OutboxRow,
} from './outbox.sql';

/** A log record's body: several events of one organization and kind. */
export interface LogRecord {
  service: string;
  kind: string;
  realmId: number;
  payloads: unknown[];
}

export interface OutboxRelay {
  start(): void;
  /** Resolves once everything committed so far is published. For tests and graceful stop. */
  drain(): Promise<void>;
  stop(): Promise<void>;
}

const POLL_MS = 500;
const RETRY_MS = 200;
/** After which the publish is repeated; the stable id makes that harmless. */
const PUBLISH_TIMEOUT_MS = 1_000;
const EXPIRE_EVERY_MS = 10 * 60_000;

export interface OutboxRelayOptions {
  service: string;
  database: Database;
  bus: Bus;
  log: Logger;
}

/**
 * Publishes a service's outbox to the event log: after commit, in commit order, at least once with a stable `Nats-Msg-Id`. Of
 * several replicas one does it, whoever holds the advisory lock; commits anywhere wake it over NATS, and it looks by itself twice
 * a second. While NATS is away the rows wait.
 */
export function createOutboxRelay({ service, database, bus, log }: OutboxRelayOptions): OutboxRelay {
  const wakeSubject = `${bus.prefix}outbox.${service}.wake`;
  const signal = createSignal();
  let isStopping = false;
  let running: Promise<void> | undefined;

  async function lead(sql: Sql): Promise<void> {
    let published = await publishAll(bus, service, await loadClaimed(sql));
    let expireAt = 0;
    while (!isStopping) {
      const rows = await markPublishedAndClaim(sql, published);
      if (rows.length > 0) {
        published = await publishAll(bus, service, rows);
        continue;
      }
      published = [];
      if (Date.now() > expireAt) {
        await deleteExpired(sql, LOG_RETENTION_HOURS);
        expireAt = Date.now() + EXPIRE_EVERY_MS;
      }
      await signal.wait(POLL_MS);
    }
    await markPublished(sql, published);
  }

  async function loop(): Promise<void> {
    const subscription = bus.connection.subscribe(wakeSubject, { callback: () => signal.raise() });
    while (!isStopping) {
      try {
        const hasLed = await withAdvisoryLock(database.url, 'outbox-relay', lead);
        if (!hasLed) await signal.wait(POLL_MS);
      } catch (error) {
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
        if (!bus.connection.isClosed()) bus.connection.publish(wakeSubject);
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

/** Publishes rows record by record, each acknowledged before the next: the log's order is the outbox's. */
async function publishAll(bus: Bus, service: string, rows: OutboxRow[]): Promise<number[]> {
  const published: number[] = [];
  for (const record of groupByRecord(rows)) {
    await publishRecord(bus, service, record);
    published.push(record[0]?.recordId as number);
  }
  return published;
}

function groupByRecord(rows: OutboxRow[]): OutboxRow[][] {
  const records = new Map<number, OutboxRow[]>();
  for (const row of rows.sort((a, b) => a.id - b.id)) {
    const record = records.get(row.recordId);
    if (record) record.push(row);
    else records.set(row.recordId, [row]);
  }
  return [...records.values()];
}

async function publishRecord(bus: Bus, service: string, rows: OutboxRow[]): Promise<void> {
  const [first] = rows as [OutboxRow];
  // The payloads were serialized when they were stored; they are joined, not parsed.
  const head = JSON.stringify({ service, kind: first.kind, realmId: first.realmId }).slice(0, -1);
  const body = `${head},"payloads":[${rows.map(({ payload }) => payload).join(',')}]}`;
  const subject = bus.subject(first.realmId, first.kind);
  const options = { msgID: `${service}:${first.recordId}`, timeout: PUBLISH_TIMEOUT_MS };
  try {
    await bus.js.publish(subject, body, options);
  } catch (error) {
    // 503: nobody listens on the subject, because the stream is gone.
    if ((error as { code?: string }).code !== '503') throw error;
    await bus.ensureStream();
    await bus.js.publish(subject, body, options);
  }
}

interface Signal {
  raise(): void;
  /** Until raised (since the last wait), or for `timeoutMs`. */
  wait(timeoutMs: number): Promise<void>;
}

function createSignal(): Signal {
  let isRaised = false;
  let release: (() => void) | undefined;
  return {
    raise() {
      isRaised = true;
      release?.();
    },
    async wait(timeoutMs) {
      if (!isRaised) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, timeoutMs);
          release = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      isRaised = false;
      release = undefined;
    },
  };
}
