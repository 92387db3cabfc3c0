import type { Sql } from '../db';
import { runPeriodically } from '../jobs';
import type { Logger } from '../observability';
import { type Clock, systemClock } from '../values';
import { readTimeMs } from './database-clock.sql';

/** How often the time is compared. A process that was suspended is late for as long. */
const EVERY_MS = 30_000;
/** A slower answer says too little about the time. */
const SLOWEST_MS = 1_000;
/** A host whose clock differs by more is reported. */
const TOLERATED_MS = 5_000;

interface Needed {
  db: Sql;
  log: Logger;
}

export interface DatabaseClock extends Clock {
  /** Compares the time with the database's. */
  compare(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * The time of the database's server, so that all replicas of a service agree on what is due, whose lease has ended and what has expired, also when the
 * clock of a replica's host is wrong or jumps. Between comparisons it advances like the process's monotonic clock. `machine` is the host's.
 */
export async function openDatabaseClock({ db, log }: Needed, machine = systemClock): Promise<DatabaseClock> {
  const clock = new ComparedClock(db, log, machine);
  // The first answer has taken the time of connecting, too.
  await clock.compare();
  await clock.compare();
  const failure = 'the time could not be compared with that of PostgreSQL';
  const stop = runPeriodically({ clock: machine, log }, { everyMs: EVERY_MS, failure }, () => clock.compare());
  return Object.assign(clock, { stop });
}

class ComparedClock implements Clock {
  /** What the monotonic clock lacks. */
  #aheadMs: number;
  #isReported = false;

  constructor(
    private readonly db: Sql,
    private readonly log: Logger,
    private readonly machine: Clock,
  ) {
    this.#aheadMs = machine.now() - performance.now();
  }

  now(): number {
    return Math.round(performance.now() + this.#aheadMs);
  }

  after(delayMs: number, task: () => void): () => void {
    return this.machine.after(delayMs, task);
  }

  async compare(): Promise<void> {
    const askedAt = performance.now();
    const timeMs = await readTimeMs(this.db);
    const answeredAt = performance.now();
    const tookMs = answeredAt - askedAt;
    if (tookMs > SLOWEST_MS) return;
    const aheadMs = timeMs - (askedAt + answeredAt) / 2;
    // A smaller difference may be that of the answer's way.
    if (Math.abs(aheadMs - this.#aheadMs) > tookMs) this.#aheadMs = aheadMs;
    this.#report(this.machine.now() - this.now());
  }

  #report(differenceMs: number): void {
    const isWrong = Math.abs(differenceMs) > TOLERATED_MS;
    if (isWrong && !this.#isReported) {
      this.log.warn({ differenceMs }, 'the clock of this host differs from that of PostgreSQL, whose time is used');
    }
    this.#isReported = isWrong;
  }
}
