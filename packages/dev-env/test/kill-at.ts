import type { Database } from '@parley/shared/db';
import { until } from '@parley/shared/testing';
import type { Replica } from '../src/network/replica';

/** A step of a process in a database, at which it is killed. */
export interface Step {
  table: string;
  on: 'insert' | 'update' | 'delete';
  /** In which of them; `new` and `old` are the row. */
  when: string;
  /** Before the statement has an effect; or during the commit of its transaction, whose result the process never gets. */
  at: 'statement' | 'commit';
}

/** A step that can be awaited together with others. */
export interface PlacedStep extends Step {
  database: Database;
}

/** Runs `begin`, which leads some process to the step, and kills all of the replicas when one of them is there. */
export async function killAt(
  database: Database,
  step: Step,
  replicas: readonly Pick<Replica, 'kill'>[],
  begin: () => Promise<unknown>,
): Promise<void> {
  await killAtAll([{ ...step, database }], replicas, begin);
}

const FIRST_GATE = 4712;

/** Kills all of the replicas when all steps are reached; none of them may prevent another from being reached. */
export async function killAtAll(
  steps: readonly PlacedStep[],
  replicas: readonly Pick<Replica, 'kill'>[],
  begin: () => Promise<unknown>,
): Promise<void> {
  const gates = steps.map((step, index) => ({ ...step, key: FIRST_GATE + index }));
  for (const gate of gates) await placeGate(gate);
  let begun: Promise<unknown> | undefined;
  await whileClosed(gates, async () => {
    // Calls of a killed process fail.
    begun = begin().catch(() => {});
    await Promise.all(gates.map(untilSomebodyWaits));
    await Promise.all(replicas.map((replica) => replica.kill()));
  });
  await begun;
  for (const { database, table, key } of gates) await database.query(`drop trigger gate_${key} on ${table}`);
}

interface Gate extends PlacedStep {
  /** The key of its advisory lock. */
  key: number;
}

async function placeGate({ database, table, on, when, at, key }: Gate): Promise<void> {
  await database.query(`create or replace function wait_at_gate() returns trigger language plpgsql as
    $$ begin perform pg_advisory_xact_lock_shared(tg_argv[0]::bigint); return coalesce(new, old); end $$`);
  const name = `gate_${key}`;
  const kind = at === 'commit' ? `constraint trigger ${name} after ${on}` : `trigger ${name} before ${on}`;
  const deferral = at === 'commit' ? 'deferrable initially deferred' : '';
  await database.query(
    `create ${kind} on ${table} ${deferral} for each row when (${when}) execute function wait_at_gate(${key})`,
  );
}

/** In one transaction for each database: a test has few connections. */
async function whileClosed(gates: readonly Gate[], work: () => Promise<void>): Promise<void> {
  const [first] = gates;
  if (!first) return work();
  const { database } = first;
  const isHere = (gate: Gate) => gate.database === database;
  await database.transaction(async (tx) => {
    for (const { key } of gates.filter(isHere)) await tx.query(`select pg_advisory_xact_lock(${key})`);
    await whileClosed(
      gates.filter((gate) => !isHere(gate)),
      work,
    );
  });
}

async function untilSomebodyWaits({ database, key }: Gate): Promise<void> {
  const waiting = `select 1 from pg_locks where locktype = 'advisory' and objid = ${key} and not granted
    and database = (select oid from pg_database where datname = current_database())`;
  await until(async () => (await database.query(waiting)).length > 0);
}
