import path from 'node:path';
import { Pool } from 'undici';
import { startChild } from '../base/child';
import { ms, print, ratio } from '../base/command';
import { measureRepeated } from '../base/measure';
import type { Api, ApiRequest } from './api';
import { StatementCounter } from './statement-counter';

const COUNTED_RUNS = 5;

/** An operation of clients in a large organization. */
export interface Operation {
  name: string;
  /** Prepares a run; not measured. */
  prepare?(): Promise<unknown>;
  /** The request of a run; runs are numbered. */
  request(run: number): ApiRequest;
  /** The lower bound for any server: one statement, its result passed on unchanged. */
  limit(run: number): string;
}

export interface Databases {
  /** The server's address. */
  databaseUrl: string;
  /** The address of the database for the lower bounds. */
  limitsUrl: string;
}

/** Prints the duration of operations, beside one HTTP hop to a statement that does the same, and their number of statements. */
export async function measureOperations(operations: readonly Operation[], api: Api, databases: Databases) {
  const counter = await StatementCounter.open(databases.databaseUrl);
  const plain = await startChild(path.join(__dirname, 'plain-server.js'), [databases.limitsUrl]);
  const limits = new Pool(`http://${plain.address}`, { connections: 1, pipelining: 1 });
  try {
    for (const operation of operations) await measureOperation(operation, api, limits, counter);
  } finally {
    await limits.close();
    await plain.stop();
    await counter.close();
  }
}

async function measureOperation(operation: Operation, api: Api, limits: Pool, counter: StatementCounter) {
  let bytes = 0;
  const prepare = async () => operation.prepare?.();
  const work = async (run: number) => {
    bytes = (await api.call(operation.request(run))).length;
  };
  const statements = await counter.fewest(COUNTED_RUNS, (run) => work(-1 - run), prepare);
  const { runs, p50Ms, p99Ms } = await measureRepeated(work, prepare);
  const limit = await measureRepeated((run) => callPlain(limits, operation.limit(run)));
  print(`${operation.name} (${runs} times, ${statements} statements, ${Math.round(bytes / 1024)} KiB)`);
  print(`  ${'Parley'.padEnd(44)} p50 ${ms(p50Ms)}  p99 ${ms(p99Ms)}  ${ratio(p50Ms / limit.p50Ms)} of the limit`, '');
  print(`  ${'one hop to one statement'.padEnd(44)} p50 ${ms(limit.p50Ms)}  p99 ${ms(limit.p99Ms)}`, '');
}

async function callPlain(pool: Pool, sql: string): Promise<void> {
  const answer = await pool.request({ method: 'POST', path: '/', body: sql });
  const body = await answer.body.text();
  if (answer.statusCode !== 200) throw new Error(`measuring the limit failed: ${body}`);
}
