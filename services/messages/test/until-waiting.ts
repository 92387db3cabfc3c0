import type { Sql } from '@parley/shared/db';

/** Resolves once somebody waits for a lock. Throws when the deed has ended, for which a lock is being held: it has not waited. */
export async function untilWaiting(db: Sql, deed: Promise<unknown>): Promise<void> {
  let hasEnded = false;
  const end = () => {
    hasEnded = true;
  };
  deed.then(end, end);
  for (;;) {
    const waiting = await db.query(
      `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
    );
    if (waiting.length > 0) return;
    if (hasEnded) throw new Error('what should wait for a lock has ended');
  }
}
