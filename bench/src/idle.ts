import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@parley/shared/embedded';

const START = path.resolve(__dirname, '../../packages/dev-env/dist/start.js');
const SETTLE_MS = 120_000;
const MEASURE_MS = 60_000;
/** Of the figures in /proc/<pid>/stat, on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

interface Used {
  parentPid: number;
  ticks: number;
  command: string;
}

/**
 * `npm run bench:idle`: what `npm start` takes of one core while nobody uses it: CPU time of all its processes, PostgreSQL's and the broker's included, over a
 * minute, two minutes after the start. Linux only.
 */
async function main(): Promise<void> {
  const directory = mkdtempSync(path.join(tmpdir(), 'parley-idle-'));
  const environment = { ...process.env, DATA_DIR: directory, PORT: String(await freePort()) };
  const started = spawn(process.execPath, [START], { env: environment, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(started, 'exit');
  try {
    await Promise.race([once(started.stdout, 'data'), ended]);
    if (started.exitCode !== null) throw new Error('npm start did not start');
    await sleep(SETTLE_MS);
    const before = readUsed();
    await sleep(MEASURE_MS);
    print(started.pid as number, before, readUsed());
  } finally {
    started.kill('SIGINT');
    await ended;
    rmSync(directory, { recursive: true, force: true });
  }
}

function print(root: number, before: ReadonlyMap<number, Used>, after: ReadonlyMap<number, Used>): void {
  const rows = [...treeOf(root, after)].map((pid) => {
    const { ticks, command } = after.get(pid) as Used;
    const percent = ((ticks - (before.get(pid)?.ticks ?? 0)) / TICKS_PER_SECOND / (MEASURE_MS / 1000)) * 100;
    return { percent, command };
  });
  rows.sort((a, b) => b.percent - a.percent);
  for (const { percent, command } of rows.filter(({ percent }) => percent > 0)) {
    process.stdout.write(`${percent.toFixed(2).padStart(6)} %  ${command}\n`);
  }
  const total = rows.reduce((sum, { percent }) => sum + percent, 0);
  process.stdout.write(`${total.toFixed(2).padStart(6)} %  of one core, all ${rows.length} processes\n`);
}

/** The process and all that descend from it. */
function treeOf(root: number, used: ReadonlyMap<number, Used>): Set<number> {
  const tree = new Set([root]);
  for (const pid of tree) {
    for (const [child, { parentPid }] of used) if (parentPid === pid) tree.add(child);
  }
  return tree;
}

/** CPU time of every process; of children that have ended in their parent's. */
function readUsed(): Map<number, Used> {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return new Map(pids.flatMap((pid) => readProcess(pid)));
}

function readProcess(pid: string): [number, Used][] {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
      .map(Number);
    const ticks = fields.slice(11, 15).reduce((sum, value) => sum + value, 0);
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').slice(0, 100);
    return [[Number(pid), { parentPid: fields[1] as number, ticks, command }]];
  } catch {
    // It ended meanwhile.
    return [];
  }
}

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
});
