import { statfs } from 'node:fs/promises';
import path from 'node:path';
import type { Bus } from '../bus';
import { lastFull, pingDatabase, type Sql } from '../db';
import { away, type Dependency, full, OK } from './dependencies';

/** How long a refusal for lack of space counts. */
const FULL_MS = 30_000;
/** With less space the next file may not fit. */
const LEAST_FREE_BYTES = 64 * 1024 ** 2;

/** The service's database: whether it answers, and has not recently refused to store data. */
export function needsPostgres(db: Sql): Dependency {
  // One at a time: a server that has vanished must not occupy all connections.
  let asking: Promise<unknown> | undefined;
  const ask = () => {
    asking ??= pingDatabase(db).finally(() => {
      asking = undefined;
    });
    return asking;
  };
  return {
    name: 'postgresql',
    async look() {
      try {
        await ask();
      } catch {
        return away('PostgreSQL does not answer');
      }
      return performance.now() - lastFull.postgresMs < FULL_MS ? full("PostgreSQL's disk is full") : OK;
    },
  };
}

/** The broker: whether it answers, and has not recently refused to store records. */
export function needsNats({ connection }: Pick<Bus, 'connection'>): Dependency {
  return {
    name: 'nats',
    async look() {
      if (connection.isClosed()) return away('NATS does not answer');
      await connection.rtt();
      return performance.now() - lastFull.natsMs < FULL_MS ? full('NATS has no room for more events') : OK;
    },
  };
}

/** The disk of a directory, which need not exist yet. */
export function needsDisk(directory: string): Dependency {
  return {
    name: 'disk',
    async look() {
      const free = await freeBytes(path.resolve(directory));
      return free < LEAST_FREE_BYTES ? full('the disk of DATA_DIR is full') : OK;
    },
  };
}

async function freeBytes(directory: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(directory);
    return bavail * bsize;
  } catch (error) {
    const parent = path.dirname(directory);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === directory) throw error;
    return freeBytes(parent);
  }
}
