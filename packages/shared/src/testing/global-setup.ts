import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startNats } from '../embedded/nats';
import { startPostgres } from '../embedded/postgres';
import { provideTestServers } from './databases';

/** A folder of Linux that is kept in memory. */
const IN_MEMORY = '/dev/shm';
/** Several packages are tested at once; the logs of each server grow to one GB. */
const ENOUGH_BYTES = 8 * 2 ** 30;

/** Data that is thrown away lies in memory where there is plenty: making and dropping a database on disk costs six times as much. */
function temporaryDirectory(): string {
  if (process.platform !== 'linux' || process.availableMemory() < ENOUGH_BYTES) return tmpdir();
  const { bavail, bsize } = statfsSync(IN_MEMORY);
  return bavail * bsize < ENOUGH_BYTES ? tmpdir() : IN_MEMORY;
}

const NAME = 'parley-test-';

/** Tests that were killed leave their data, which would take memory. */
function removeLeftovers(parent: string): void {
  for (const name of readdirSync(parent)) {
    const [, pid] = new RegExp(`^${NAME}(\\d+)-`).exec(name) ?? [];
    if (pid && !isRunning(Number(pid))) rmSync(path.join(parent, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** Jest's globalSetup: one real PostgreSQL and one real nats-server for all tests of a package. */
export default async function globalSetup(): Promise<void> {
  const parent = temporaryDirectory();
  removeLeftovers(parent);
  const directory = mkdtempSync(path.join(parent, `${NAME}${process.pid}-`));
  // NOTE: as root PostgreSQL runs as another user, who needs access to the folder.
  chmodSync(directory, 0o755);
  const [postgres, nats] = await Promise.all([
    startPostgres({ directory: path.join(directory, 'postgres'), isPersistent: false }),
    startNats({ directory: path.join(directory, 'nats'), isPersistent: false }),
  ]);
  process.env['TEST_MODULE_CACHE'] = path.join(directory, 'modules');
  mkdirSync(process.env['TEST_MODULE_CACHE']);
  provideTestServers({ databaseUrl: postgres.url, natsUrl: nats.url });
  Object.assign(globalThis, { stopTestServers: () => Promise.all([postgres.stop(), nats.stop()]), directory });
}
