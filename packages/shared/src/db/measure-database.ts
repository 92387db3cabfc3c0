import type pg from 'pg';
import { Durations, declareGauge, onScrape } from '../observability';
import { run } from './sql';

const statements = new Durations(
  'parley_database_statement_seconds',
  'Statements, outside of transactions with the wait for a connection; those of Prisma are not counted',
);
const connections = declareGauge('parley_database_connections', 'Connections of the pool', ['database', 'state']);
const waiting = declareGauge('parley_database_waiting', 'Who waits for a connection of the pool', ['database']);

export type RunStatement = typeof run;

/** Has a pool and what runs on it measured, until stop(). Called by openDatabase(). */
export function measureDatabase(pool: pg.Pool, database: string): { runMeasured: RunStatement; stop: () => void } {
  const duration = statements.of({ database });
  const stop = onScrape(() => [
    { gauge: connections, value: pool.idleCount, labels: { database, state: 'idle' } },
    { gauge: connections, value: pool.totalCount - pool.idleCount, labels: { database, state: 'busy' } },
    { gauge: waiting, value: pool.waitingCount, labels: { database } },
  ]);
  return {
    async runMeasured(client, sql, values) {
      const beganAtMs = performance.now();
      try {
        return await run(client, sql, values);
      } finally {
        duration.since(beganAtMs);
      }
    },
    stop,
  };
}
