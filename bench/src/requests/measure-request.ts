import type { Pool } from 'undici';
import { ms, print, ratio } from '../base/command';
import { quantiles } from '../base/measure';
import type { Servers } from '../base/servers';
import type { Api } from '../operations/api';
import type { FilledParley } from '../operations/filled-parley';
import type { StatementCost, StatementCounter } from '../operations/statement-counter';
import { type BareStatement, NO_STATEMENT } from './bare-statements';
import { type CpuMs, countCalls, cpuOfBare, cpuOfParley } from './costs';
import type { UsualRequest } from './usual-requests';

/** RUNS=200 for a short measurement, of which planning and compiling are a large part. */
const RUNS = Number(process.env['RUNS'] ?? 2_000);
const MOST_WAITED_FOR = 300;
/** While processor time is counted. */
const AT_ONCE = 4;
const CROWD = 16;
const COUNTED = 5;
const SHOWN_STATEMENTS = 8;

export interface Bench {
  parley: FilledParley;
  servers: Servers;
  api: Api;
  counter: StatementCounter;
  bare: Pool;
  barePids: readonly number[];
  parts: BareParts;
}

/** What one more call between services and one more statement cost without anything around them. */
export interface BareParts {
  callMs: number;
  statementMs: number;
}

/** `statement`: one that reads a row. */
export async function measureParts(bench: Omit<Bench, 'parts'>, statement: BareStatement): Promise<BareParts> {
  const cpuWith = async (asked: BareStatement | null) => {
    const ask = async () => void (await askBare(bench, asked, 2));
    return total(await cpuPerRun(RUNS, ask, () => cpuOfBare(bench.barePids, bench.servers)));
  };
  const measureEach = async () => [await cpuWith(null), await cpuWith(NO_STATEMENT), await cpuWith(statement)] as const;
  // The first time compiles their code.
  await measureEach();
  const [without, called, read] = await measureEach();
  return { callMs: called - without, statementMs: read - called };
}

/** Compiles the code that all requests share, which the first one measured would have in its cost. `usual`: one that only reads. */
export async function warmUpServices(usual: UsualRequest, { api }: Pick<Bench, 'api'>): Promise<void> {
  const next = numbered(async (run) => void (await api.call(usual.request(run))));
  await repeat(2 * RUNS, AT_ONCE, next);
}

/** The cost of a request, in milliseconds of CPU time. */
export interface MeasuredRequest {
  name: string;
  calls: number;
  statements: number;
  /** Of the database, read by the statements: what grows with the data, whatever else the machine does. */
  pages: number;
  cpuMs: number;
  bareMs: number;
}

interface Cost {
  /** Per request. */
  cpuMs: CpuMs;
  oneAtATime: string;
  crowd: string;
  /** All of them, those that were waited for included. */
  runs: number;
}

/** Measures the cost of a request, beside the bare one, and prints it. */
export async function measureRequest(usual: UsualRequest, bench: Bench): Promise<MeasuredRequest> {
  const measured = Math.min(usual.runs ?? RUNS, RUNS);
  // As in a service that has been running: with fewer, compiling the code of a request is a large part of its cost.
  const warmUp = measured / 2;
  let [bytes, bareBytes] = [0, 0];
  if (usual.prepare) await bench.api.call(usual.prepare);
  const next = numbered(async (run) => {
    bytes = (await bench.api.call(usual.request(run))).length;
  });
  const nextBare = numbered(async (run) => {
    bareBytes = await askBare(bench, usual.bare(run), bytes);
  });
  await repeat(warmUp, AT_ONCE, next);
  const statements = await bench.counter.fewest(COUNTED, next, async () => {});
  const calls = await fewestCalls(bench.parley, next);
  await bench.counter.takeCosts(0);
  const own = await costOf(measured, next, () => cpuOfParley(bench.parley, bench.servers));
  const pages = (await bench.counter.countPages()) / own.runs;
  const dearest = await bench.counter.takeCosts(process.env['STATEMENTS'] === 'true' ? SHOWN_STATEMENTS : 0);
  await repeat(warmUp, AT_ONCE, nextBare);
  const bare = await costOf(measured, nextBare, () => cpuOfBare(bench.barePids, bench.servers));
  print(
    `${usual.name} (${calls} calls, ${statements} statements, ${pages.toFixed(0)} pages, ${bytes} bytes; bare ${bareBytes})`,
  );
  const [moreCalls, moreStatements] = usual.bare(0) === null ? [calls, statements] : [calls - 1, statements - 1];
  const { callMs, statementMs } = bench.parts;
  printCosts(own, bare, moreCalls * callMs + moreStatements * statementMs);
  for (const cost of dearest) printStatement(cost);
  return { name: usual.name, calls, statements, pages, cpuMs: total(own.cpuMs), bareMs: total(bare.cpuMs) };
}

/** Returns the number of bytes. */
async function askBare({ bare }: Pick<Bench, 'bare'>, statement: BareStatement | null, bytes: number): Promise<number> {
  const body = statement === null ? {} : { body: JSON.stringify(statement) };
  const answer = await bare.request({ method: 'POST', path: statement === null ? `/${bytes}` : '/', ...body });
  const content = await answer.body.arrayBuffer();
  if (answer.statusCode !== 200) throw new Error(`the bare request failed: ${Buffer.from(content)}`);
  return content.byteLength;
}

/** `moreMs`: of Parley's other calls and statements, as if they were bare, too. */
function printCosts(own: Cost, bare: Cost, moreMs: number): void {
  const [cpu, bareCpu] = [total(own.cpuMs), total(bare.cpuMs)];
  const parts = [...own.cpuMs].filter(([, value]) => value >= 0.05).map(([of, value]) => `${of} ${value.toFixed(2)}`);
  const waiting = ({ oneAtATime, crowd }: Cost) => `one at a time ${oneAtATime}  ${CROWD} at a time ${crowd}`;
  print(
    `  ${'processor time'.padEnd(16)}${ms(cpu)}  ${ratio(cpu / bareCpu)} of the bare request: ${parts.join(', ')}`,
    '',
  );
  print(`  ${'bare'.padEnd(16)}${ms(bareCpu)}  ${waiting(bare)}`, '');
  const chain = bareCpu + moreMs;
  print(`  ${'bare chain'.padEnd(16)}${ms(chain)}  ${ratio(cpu / chain)} of as many calls and statements`, '');
  print(`  ${'Parley'.padEnd(16)}${ms(cpu)}  ${waiting(own)}`, '');
}

function printStatement({ text, calls, planMs, executionMs, pages }: StatementCost): void {
  const each = `${(planMs / calls).toFixed(2)} ms planned, ${(executionMs / calls).toFixed(2)} ms run, ${(pages / calls).toFixed(0)} pages, ${calls} times`;
  print(`    ${each}: ${text.replace(/\s+/g, ' ').slice(0, 150)}`, '');
}

async function costOf(runs: number, ask: () => Promise<void>, readCpu: () => CpuMs): Promise<Cost> {
  const cpuMs = await cpuPerRun(runs, ask, readCpu);
  const waitedFor = Math.min(MOST_WAITED_FOR, runs / 2);
  const oneAtATime = await waited(waitedFor, ask, 1);
  return { cpuMs, oneAtATime, crowd: await waited(waitedFor, ask, CROWD), runs: runs + 2 * waitedFor };
}

async function cpuPerRun(runs: number, ask: () => Promise<void>, readCpu: () => CpuMs): Promise<CpuMs> {
  const before = readCpu();
  await repeat(runs, AT_ONCE, ask);
  return new Map([...readCpu()].map(([name, value]) => [name, (value - (before.get(name) ?? 0)) / runs]));
}

async function waited(runs: number, ask: () => Promise<void>, atOnce: number): Promise<string> {
  const { p50Ms, p99Ms } = quantiles(await repeat(runs, atOnce, ask));
  return `p50 ${ms(p50Ms)} p99 ${ms(p99Ms)}`;
}

/** Returns the duration of each run. */
async function repeat(times: number, atOnce: number, ask: () => Promise<void>): Promise<number[]> {
  const durationsMs: number[] = [];
  let begun = 0;
  const worker = async () => {
    while (begun < times) {
      begun += 1;
      const begunAt = performance.now();
      await ask();
      durationsMs.push(performance.now() - begunAt);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return durationsMs;
}

/** The run with the fewest of several: excludes what the services do besides it. */
async function fewestCalls(parley: FilledParley, ask: () => Promise<void>): Promise<number> {
  const counts: number[] = [];
  for (let run = 0; run < COUNTED; run += 1) {
    const before = await countCalls(parley);
    await ask();
    counts.push((await countCalls(parley)) - before);
  }
  return Math.min(...counts);
}

/** Calls `ask` with the next number each time. */
function numbered(ask: (run: number) => Promise<void>): () => Promise<void> {
  let runs = 0;
  return () => ask(runs++);
}

const total = (cpuMs: CpuMs) => [...cpuMs.values()].reduce((sum, value) => sum + value, 0);
