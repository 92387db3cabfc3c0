import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@parley/shared/embedded';
import { readProcesses, treeOf, type Used } from './base/processes';

const START = path.resolve(__dirname, '../../packages/dev-env/dist/start.js');
const SETTLE_MS = 120_000;
const MEASURE_MS = 60_000;

/**
 * `npm run bench:idle`: the cost of an unused `npm start`, two minutes after its start: CPU time of all its processes in percent
 * of one core, including PostgreSQL's and the broker's, over a minute, and their memory. Services run with the image's environment, and, as in a
 * deployment, find a database that others have migrated: the directory was used once before. Linux only.
 */
async function main(): Promise<void> {
  const directory = mkdtempSync(path.join(tmpdir(), 'parley-idle-'));
  const own = { NODE_ENV: 'production', DATA_DIR: directory, PORT: String(await freePort()) };
  const environment = { ...process.env, ...own };
  try {
    await whileStarted(environment, async () => {});
    await whileStarted(environment, async (pid) => {
      await sleep(SETTLE_MS);
      const before = readProcesses();
      await sleep(MEASURE_MS);
      print(pid, before, readProcesses());
    });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function whileStarted(env: NodeJS.ProcessEnv, work: (pid: number) => Promise<void>): Promise<void> {
  const started = spawn(process.execPath, [START], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(started, 'exit');
  try {
    await Promise.race([once(started.stdout, 'data'), ended]);
    if (started.exitCode !== null) throw new Error('npm start did not start');
    await work(started.pid as number);
  } finally {
    started.kill('SIGINT');
    await ended;
  }
}

function print(root: number, before: ReadonlyMap<number, Used>, after: ReadonlyMap<number, Used>): void {
  const rows = [...treeOf(root, after)].map((pid) => {
    const { cpuMs, residentMb, command } = after.get(pid) as Used;
    const percent = ((cpuMs - (before.get(pid)?.cpuMs ?? 0)) / MEASURE_MS) * 100;
    return { percent, residentMb, command };
  });
  rows.sort((a, b) => b.percent - a.percent || b.residentMb - a.residentMb);
  for (const { percent, residentMb, command } of rows) {
    process.stdout.write(`${percent.toFixed(2).padStart(6)} %  ${residentMb.toFixed(0).padStart(4)} MB  ${command}\n`);
  }
  const total = rows.reduce((sum, { percent }) => sum + percent, 0);
  process.stdout.write(`${total.toFixed(2).padStart(6)} %  of one core, all ${rows.length} processes\n`);
}

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
});
