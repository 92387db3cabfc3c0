import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, type Sql, withAdvisoryLock } from '../db';
import type { Logger } from '../observability';
import type { Bus } from './bus';
import { Interruptions } from './interruptions';
import { LOG_RETENTION_HOURS } from './log-stream';
import { countUnpublished, deleteExpired, type OutboxLag, readOutboxLag } from './outbox.sql';
import { OutboxLeader } from './outbox-leader';
import { dropExpiredPartitions, ensureRoom } from './outbox-partitions.sql';
import { openWakeChannel, type WakeChannel } from './wake-channel';

export interface OutboxRelay {
  start(): void;
  /** Whether this replica publishes. */
  readonly isLeading: boolean;
  /** Resolves when everything committed so far is published. For tests and graceful stop. */
  drain(): Promise<void>;
  /** How far the log is behind the outbox; for metrics. */
  gauges(): Promise<OutboxGauges>;
  stop(): Promise<void>;
}

export interface OutboxGauges extends OutboxLag {
  /** Whether this replica publishes. */
  isLeading: boolean;
  /** From a change to its event in the log, for the last one that this replica published; 0 before the first. */
  publishDelayMs: number;
}

interface OutboxRelayOptions {
  service: string;
  database: Database;
  bus: Bus;
  log: Logger;
}

/** How often the leader polls; during an outage of the broker nothing else wakes it. */
const LOOK_MS = 10_000;
const LOOK_UNWOKEN_MS = 500;
/** After a publication the next changes are gathered for this time: they share its statements and, of one kind, its record. */
const GATHER_MS = 10;
/** The progress is stored together with loading the next rows, or alone if none come within this time. */
const SAVE_MS = 20;
/** How often the others try to become the leader. */
const TAKE_OVER_MS = 500;
const RETRY_MS = 200;
const EXPIRE_EVERY_MS = 10 * 60_000;
/** Old rows are dropped with their partition. Rows of partitions that take longer than this to fill are deleted one by one. */
const PARTITION_FILLS_IN_HOURS = 24;
const ENSURE_ROOM_EVERY_MS = 60_000;

/**
 * Publishes a service's outbox to the event log: after commit, in commit order, at least once with a stable `Nats-Msg-Id`. One of
 * several replicas does it, the holder of the advisory lock, woken by its own commits and, over NATS, by those of others. After a
 * lost wake-up it finds the rows by polling. While NATS is unreachable the rows wait; a lost log is refilled with the events on
 * which services act.
 */
export function createOutboxRelay(options: OutboxRelayOptions): OutboxRelay {
  return new Relay(options);
}

class Relay implements OutboxRelay {
  readonly #signal = createSignal();
  readonly #end = createSignal();
  #channel: WakeChannel | undefined;
  #isStopping = false;
  #isLeading = false;
  #publishDelayMs = 0;
  #ensureRoomAtMs = 0;
  #running: Promise<void> | undefined;

  constructor(private readonly options: OutboxRelayOptions) {}

  get isLeading(): boolean {
    return this.#isLeading;
  }

  start(): void {
    const { service, database, bus } = this.options;
    database.onAnnounced = () => {
      this.#signal.raise();
      // The leader need not wake the others.
      if (!this.#isLeading) this.#channel?.wakeOthers();
    };
    this.#channel = openWakeChannel(bus, `${bus.prefix}outbox.${service}.wake`, this.#signal.raise);
    this.#running = this.#run();
  }

  async #run(): Promise<void> {
    const { database, log } = this.options;
    const interruptions = new Interruptions(log, 'outbox relay interrupted; trying again');
    while (!this.#isStopping) {
      const beganAtMs = performance.now();
      try {
        const hasLed = await withAdvisoryLock(database.url, 'outbox-relay', (sql) => this.#lead(sql));
        // Commits wake the leader; they are no reason to try to become the leader.
        if (!hasLed) await this.#end.wait(TAKE_OVER_MS);
      } catch (error) {
        if (!this.#isStopping) interruptions.note(error, beganAtMs);
        // Another replica may have led meanwhile without a wake-up for this one's commits.
        this.#channel?.wakeOthers();
        await this.#end.wait(RETRY_MS);
      }
    }
  }

  /** Leads until the lock is released: later commits wake the successor. */
  async #lead(sql: Sql): Promise<void> {
    this.#isLeading = true;
    try {
      await this.#ensureRoom(sql);
      await this.#publishAsLeader(sql);
    } finally {
      this.#isLeading = false;
    }
  }

  /** Called before each attempt to publish: the outbox grows while the broker is unreachable. */
  async #ensureRoom(sql: Sql): Promise<void> {
    if (performance.now() < this.#ensureRoomAtMs) return;
    await ensureRoom(sql);
    this.#ensureRoomAtMs = performance.now() + ENSURE_ROOM_EVERY_MS;
  }

  async #publishAsLeader(sql: Sql): Promise<void> {
    const { service, bus, log } = this.options;
    const isStopping = () => this.#isStopping;
    const leader = await OutboxLeader.takeOver(sql, { service, bus, log, isStopping, wake: this.#signal.raise });
    await leader.attempt(async () => {
      await this.#publishUntilStopped(leader, sql);
      await leader.save();
    });
    leader.resign();
  }

  async #publishUntilStopped(leader: OutboxLeader, sql: Sql): Promise<void> {
    let expireAtMs = 0;
    while (!this.#isStopping) {
      await leader.checkLog();
      // An unfinished refill comes before new events.
      if (this.#isStopping) break;
      const published = await leader.publishNext();
      this.#publishDelayMs = leader.publishDelayMs;
      await this.#ensureRoom(sql);
      if (published === 'all') await this.#gather();
      if (published !== 'none') continue;
      if (performance.now() > expireAtMs) {
        await dropExpiredPartitions(sql);
        if (await deleteExpired(sql, LOG_RETENTION_HOURS + PARTITION_FILLS_IN_HOURS)) continue;
        expireAtMs = performance.now() + EXPIRE_EVERY_MS;
      }
      await this.#signal.wait(Math.min(leader.restMs, this.#channel?.isUp ? LOOK_MS : LOOK_UNWOKEN_MS));
    }
  }

  async #gather(): Promise<void> {
    await sleep(GATHER_MS);
    await this.#signal.wait(SAVE_MS);
  }

  async drain(): Promise<void> {
    while ((await countUnpublished(this.options.database)) > 0) {
      this.#signal.raise();
      await sleep(2);
    }
  }

  async gauges(): Promise<OutboxGauges> {
    const lag = await readOutboxLag(this.options.database);
    return { isLeading: this.#isLeading, publishDelayMs: this.#publishDelayMs, ...lag };
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#signal.raise();
    this.#end.raise();
    await this.#running;
    this.#channel?.end();
  }
}

interface Signal {
  raise(): void;
  /** Until raised (since the last wait), or for `timeoutMs`. */
  wait(timeoutMs: number): Promise<void>;
}

/** A wake-up signal for one waiting loop. */
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
