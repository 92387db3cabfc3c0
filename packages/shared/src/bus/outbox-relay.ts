import { type Database, type Sql, withAdvisoryLock } from '../db';
import type { Logger } from '../observability';
import type { Bus } from './bus';
import { Interruptions } from './interruptions';
import { LOG_RETENTION_HOURS } from './log-stream';
import { countUnpublished, deleteExpired, type OutboxLag, readOutboxLag } from './outbox.sql';
import { OutboxLeader } from './outbox-leader';
import { openWakeChannel, type WakeChannel } from './wake-channel';

export interface OutboxRelay {
  start(): void;
  /** Whether it is this replica that publishes. */
  readonly isLeading: boolean;
  /** Resolves once everything committed so far is published. For tests and graceful stop. */
  drain(): Promise<void>;
  /** How far the log is behind the outbox; for metrics. */
  gauges(): Promise<OutboxGauges>;
  stop(): Promise<void>;
}

export interface OutboxGauges extends OutboxLag {
  /** Whether it is this replica that publishes. */
  isLeading: boolean;
  /** From a change to its event's being in the log, for the last one that this replica published; 0 before the first. */
  publishDelayMs: number;
}

interface OutboxRelayOptions {
  service: string;
  database: Database;
  bus: Bus;
  log: Logger;
}

/** How often the leader looks by itself; while the broker is away nobody else wakes it. */
const LOOK_MS = 10_000;
const LOOK_UNWOKEN_MS = 500;
/** How often the others try to become the leader. */
const TAKE_OVER_MS = 500;
const RETRY_MS = 200;
const EXPIRE_EVERY_MS = 10 * 60_000;

/**
 * Publishes a service's outbox to the event log: after commit, in commit order, at least once with a stable `Nats-Msg-Id`. Of
 * several replicas one does it, whoever holds the advisory lock; its own commits wake it, and those of others over NATS. Where a wake-up
 * was lost it finds by itself what it was for. While NATS is away the rows wait; a log that was lost is refilled with what services act on.
 */
export function createOutboxRelay({ service, database, bus, log }: OutboxRelayOptions): OutboxRelay {
  const signal = createSignal();
  const end = createSignal();
  let channel: WakeChannel | undefined;
  let isStopping = false;
  let isLeading = false;
  let publishDelayMs = 0;
  let running: Promise<void> | undefined;

  /** Leads until the lock is given back: what is committed from then on wakes the successor. */
  async function lead(sql: Sql): Promise<void> {
    isLeading = true;
    try {
      await publishAsLeader(sql);
    } finally {
      isLeading = false;
    }
  }

  async function publishAsLeader(sql: Sql): Promise<void> {
    const leader = await OutboxLeader.takeOver(sql, {
      service,
      bus,
      log,
      isStopping: () => isStopping,
      wake: signal.raise,
    });
    await leader.attempt(async () => {
      await publishOn(leader, sql);
      await leader.save();
    });
    leader.resign();
  }

  async function publishOn(leader: OutboxLeader, sql: Sql): Promise<void> {
    let expireAtMs = 0;
    while (!isStopping) {
      await leader.checkLog();
      // A refill that was not finished comes before anything new.
      if (isStopping) break;
      const hasPublished = await leader.publishNext();
      publishDelayMs = leader.publishDelayMs;
      if (hasPublished) continue;
      if (performance.now() > expireAtMs) {
        if (await deleteExpired(sql, LOG_RETENTION_HOURS)) continue;
        expireAtMs = performance.now() + EXPIRE_EVERY_MS;
      }
      await signal.wait(Math.min(leader.restMs, channel?.isUp ? LOOK_MS : LOOK_UNWOKEN_MS));
    }
  }

  async function loop(): Promise<void> {
    const interruptions = new Interruptions(log, 'outbox relay interrupted; trying again');
    while (!isStopping) {
      const beganAtMs = performance.now();
      try {
        const hasLed = await withAdvisoryLock(database.url, 'outbox-relay', lead);
        // Commits wake the leader: they are no reason to try again.
        if (!hasLed) await end.wait(TAKE_OVER_MS);
      } catch (error) {
        if (!isStopping) interruptions.note(error, beganAtMs);
        // The lock may have been another replica's for a while, which was not told of what this one committed meanwhile.
        channel?.wakeOthers();
        await end.wait(RETRY_MS);
      }
    }
  }

  return {
    get isLeading() {
      return isLeading;
    },
    start() {
      database.onAnnounced = () => {
        signal.raise();
        // The leader need not wake the others.
        if (!isLeading) channel?.wakeOthers();
      };
      channel = openWakeChannel(bus, `${bus.prefix}outbox.${service}.wake`, signal.raise);
      running = loop();
    },
    async drain() {
      while ((await countUnpublished(database)) > 0) {
        signal.raise();
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
    },
    async gauges() {
      return { isLeading, publishDelayMs, ...(await readOutboxLag(database)) };
    },
    async stop() {
      isStopping = true;
      signal.raise();
      end.raise();
      await running;
      channel?.end();
    },
  };
}

interface Signal {
  raise(): void;
  /** Until raised (since the last wait), or for `timeoutMs`. */
  wait(timeoutMs: number): Promise<void>;
}

/** A bell that one loop waits for. */
export function createSignal(): Signal {
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
