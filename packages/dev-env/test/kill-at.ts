import type { Database } from '@parley/shared/db';
import { until } from '@parley/shared/testing';
import type { Replica } from '../src/network/replica';

/** Something that a process does in a database: the moment at which it is killed. */
export interface Step {
  table: string;
  on: 'insert' | 'update' | 'delete';
  /** In which of them; `new` and `old` are the row. */
  when: string;
  /** Before the statement has an effect; or during the commit of its transaction, whose result the process never gets. */
  at: 'statement' | 'commit';
}

const GATE = 4712;

/** Has `begin` lead some process to the step, and kills all of the replicas when one of them is there. */
export async function killAt(
  database: Database,
  step: Step,
  replicas: readonly Pick<Replica, 'kill'>[],
  begin: () => Promise<unknown>,
): Promise<void> {
  await placeGate(database, step);
  let begun: Promise<unknown> | undefined;
  await database.transaction(async (gate) => {
    await gate.query(`select pg_advisory_xact_lock(${GATE})`);
    // Calls of a killed process fail.
    begun = begin().catch(() => {});
    await untilSomebodyWaits(database);
    await Promise.all(replicas.map((replica) => replica.kill()));
  });
  await begun;
  await database.query(`drop trigger gate on ${step.table}`);
}

async function placeGate(database: Database, { table, on, when, at }: Step): Promise<void> {
  await database.query(`create or replace function wait_at_gate() returns trigger language plpgsql as
    $$ begin perform pg_advisory_xact_lock_shared(${GATE}); return coalesce(new, old); end $$`);
  const kind = at === 'commit' ? `constraint trigger gate after ${on}` : `trigger gate before ${on}`;
  const deferral = at === 'commit' ? 'deferrable initially deferred' : '';
  await database.query(
    `create ${kind} on ${table} ${deferral} for each row when (${when}) execute function wait_at_gate()`,
  );
}

async function untilSomebodyWaits(database: Database): Promise<void> {
  const waiting = `select 1 from pg_locks where locktype = 'advisory' and objid = ${GATE} and not granted
    and database = (select oid from pg_database where datname = current_database())`;
  await until(async () => (await database.query(waiting)).length > 0);
}
