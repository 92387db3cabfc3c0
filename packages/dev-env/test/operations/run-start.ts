import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '@parley/shared/embedded';
import { until } from '@parley/shared/testing';
import { listProcesses } from '../../src/start/list-processes';

export const ROOT = path.resolve(__dirname, '../../../..');
/** `npm start` without the build, which comes before the tests. */
export const START = ['node', 'packages/dev-env/dist/start.js'];

export interface StartRun {
  readonly pid: number;
  /** Resolves with everything printed up to the line that begins so. */
  untilPrinted(beginning: string): Promise<string>;
  /** Resolves when it has ended. */
  readonly ended: Promise<{ exitCode: number | null; output: string; complaints: string[] }>;
  /** The processes below it, theirs included, as of now. */
  processes(): number[];
  kill(signal: NodeJS.Signals): void;
}

/** A separate data directory and a free port, for a run of `npm start`. */
export async function newSite(): Promise<{ DATA_DIR: string; PORT: string }> {
  return { DATA_DIR: mkdtempSync(path.join(tmpdir(), 'parley-start-')), PORT: String(await freePort()) };
}

export function removeSite({ DATA_DIR }: { DATA_DIR: string }): void {
  rmSync(DATA_DIR, { recursive: true, force: true });
}

const runs = new Set<ChildProcess>();

/** For afterEach: a test that failed half-way leaves its runs behind. */
export async function stopRuns(): Promise<void> {
  const left = [...runs].filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null);
  runs.clear();
  for (const child of left) {
    const processes = processesBelow(child.pid as number);
    child.kill('SIGTERM');
    await untilGone(processes);
  }
}

/** Runs `npm start`, or what it comes to, with these settings. */
export function runStart(settings: Record<string, string>, [command, ...args] = START): StartRun {
  const { DATABASE_URL: _, NATS_URL: __, LOG_LEVEL: ___, ...environment } = process.env;
  const child = spawn(command as string, args, { cwd: ROOT, env: { ...environment, ...settings } });
  runs.add(child);
  const heard = { output: '', complaints: '' };
  child.stdout.setEncoding('utf8').on('data', (text) => (heard.output += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (heard.complaints += text));
  return {
    pid: child.pid as number,
    ended: new Promise((resolve) => {
      child.once('close', (exitCode) => resolve({ exitCode, output: heard.output, complaints: linesOf(heard) }));
    }),
    untilPrinted: (beginning) => untilPrinted(child, heard, beginning),
    processes: () => processesBelow(child.pid as number),
    kill: (signal) => void child.kill(signal),
  };
}

function linesOf({ complaints }: { complaints: string }): string[] {
  return complaints.split('\n').filter((line) => line !== '' && !line.startsWith('npm warn'));
}

function untilPrinted(child: ChildProcess, heard: { output: string; complaints: string }, beginning: string) {
  return new Promise<string>((resolve, reject) => {
    const look = () => `\n${heard.output}`.includes(`\n${beginning}`) && resolve(heard.output);
    child.stdout?.on('data', look);
    child.once('close', () => reject(new Error(`ended without printing "${beginning}": ${heard.complaints}`)));
    look();
  });
}

function processesBelow(pid: number): number[] {
  const processes = listProcesses();
  const below = (parent: number): number[] =>
    processes.filter(({ parentPid }) => parentPid === parent).flatMap((child) => [child.pid, ...below(child.pid)]);
  return below(pid);
}

function aliveAmong(pids: number[]): number[] {
  const alive = new Set(listProcesses().map(({ pid }) => pid));
  return pids.filter((pid) => alive.has(pid));
}

/** The end of a process that is not our child can only be looked for. */
export async function untilGone(pids: number[]): Promise<void> {
  await until(() => aliveAmong(pids).length === 0);
}
