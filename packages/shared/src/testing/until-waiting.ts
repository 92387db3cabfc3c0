import type { Sql } from '../db';

/** Resolves when a transaction waits for a lock. Throws if the work, for which a lock is taken, ends without having waited. */
export async function untilWaiting(db: Sql, deed: Promise<unknown>): Promise<void> {
  const hasWaited = await untilWaitingOrEnded(db, deed, 1);
  if (!hasWaited) throw new Error('what should wait for a lock has ended');
}

/** Resolves when that many transactions wait for a lock, or, with false, when the work has ended. */
export async function untilWaitingOrEnded(db: Sql, deed: Promise<unknown>, count: number): Promise<boolean> {
  let hasEnded = false;
  const end = () => {
    hasEnded = true;
  };
  deed.then(end, end);
  for (;;) {
    const waiting = await db.query(
      `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
    );
    if (waiting.length >= count) return true;
    if (hasEnded) return false;
  }
}
