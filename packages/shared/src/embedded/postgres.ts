import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { freePort } from './free-port';
import { findPostgresAccount, type PostgresAccount } from './postgres-account';
import { findPostgresBinaries } from './postgres-binaries';
import {
  type EmbeddedServer,
  type ServerOptions,
  startGuarded,
  untilFormerServerEnded,
  untilReady,
} from './server-process';

const USER = 'parley';
const READY = /database system is ready to accept connections/;
/** After a crash the server replays its log first. */
const START_TIMEOUT_MS = 120_000;
const STOP_GRACE_MS = 10_000;

interface PostgresOptions extends ServerOptions {
  /** Further settings, `name=value`; for benchmarks. */
  settings?: readonly string[];
}

/**
 * Starts PostgreSQL 18 from npm on 127.0.0.1; for `npm start` and tests. As root it uses another user. The url names the
 * database `postgres`. Rejects with a one-line reason.
 */
export async function startPostgres(options: PostgresOptions): Promise<EmbeddedServer> {
  const { isPersistent } = options;
  const directory = path.resolve(options.directory);
  const binaries = findPostgresBinaries();
  mkdirSync(directory, { recursive: true });
  const dataDir = path.join(directory, 'data');
  const account = findPostgresAccount(binaries.postgres, directory, dataDir);
  const password = readPassword(directory, account);
  if (!existsSync(dataDir)) await initialize(binaries.initdb, account, dataDir, isPersistent);
  await untilFormerServerEnded(path.join(dataDir, 'postmaster.pid'), dataDir);
  const port = options.port ?? (await freePort());
  const server = await startServer(binaries.postgres, account, dataDir, port, options);
  return {
    url: `postgresql://${USER}:${password}@127.0.0.1:${port}/postgres`,
    pid: server.pid,
    ended: server.ended,
    async stop() {
      await server.stop(STOP_GRACE_MS);
      if (!isPersistent) await rm(directory, { recursive: true, force: true });
    },
  };
}

function passwordFile(directory: string): string {
  return path.join(directory, 'password');
}

/** All users of this machine can connect to the server, so it has a password, which is stored with the data. */
function readPassword(directory: string, { owner }: PostgresAccount): string {
  const file = passwordFile(directory);
  if (!existsSync(file)) {
    writeFileSync(file, randomBytes(16).toString('hex'), { mode: 0o600 });
    if (owner) chownSync(file, owner.uid, owner.gid);
  }
  return readFileSync(file, 'utf8');
}

/** Created elsewhere and then moved: an interrupted start leaves no incomplete data. */
async function initialize(initdb: string, account: PostgresAccount, dataDir: string, isPersistent: boolean) {
  const draft = `${dataDir}.new`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft);
  if (account.owner) chownSync(draft, account.owner.uid, account.owner.gid);
  const { program, args, options } = account.run(initdb, [
    `--pgdata=${draft}`,
    `--username=${USER}`,
    `--pwfile=${passwordFile(path.dirname(dataDir))}`,
    // Test networks open hundreds of connections, on this machine: SCRAM takes most of what each costs.
    `--auth=${isPersistent ? 'scram-sha-256' : 'password'}`,
    '--encoding=UTF8',
    // The same sort order and casing on all systems.
    ...['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
    // The password is random: deriving keys from it slowly, at each connection, protects nothing.
    '--set=scram_iterations=1',
    ...(isPersistent ? [] : ['--no-sync']),
  ]);
  try {
    await promisify(execFile)(program, args, { ...options, cwd: '/' } as object);
  } catch (error) {
    const output = (error as { stderr?: string }).stderr ?? '';
    throw new Error(
      `PostgreSQL could not make its data in ${dataDir}: ${reasonIn(output) ?? (error as Error).message}`,
    );
  }
  renameSync(draft, dataDir);
}

async function startServer(
  postgres: string,
  account: PostgresAccount,
  dataDir: string,
  port: number,
  { isPersistent, onOutput, settings = [] }: PostgresOptions,
) {
  const flags = [...usualSettings(isPersistent), ...settings].flatMap((setting) => ['-c', setting]);
  const { program, args, options } = account.run(postgres, ['-D', dataDir, '-p', String(port), ...flags]);
  const server = await startGuarded(program, args, {
    ...options,
    cwd: '/',
    stdio: ['ignore', 'ignore', 'pipe'],
    // Fast shutdown; temporary data needs no checkpoint.
    stopSignal: isPersistent ? 'SIGINT' : 'SIGQUIT',
    orphanGraceSecs: STOP_GRACE_MS / 1_000,
  });
  await untilReady(server, {
    name: `PostgreSQL, with the data in ${dataDir},`,
    ready: READY,
    reasonIn,
    timeoutMs: START_TIMEOUT_MS,
    onOutput,
  });
  return server;
}

function usualSettings(isPersistent: boolean): string[] {
  const settings = [
    'listen_addresses=127.0.0.1',
    // No socket file, because no client uses one.
    'unix_socket_directories=',
    // Tests run several networks concurrently, some with several replicas of each service.
    `max_connections=${isPersistent ? 300 : 1_000}`,
    'shared_buffers=256MB',
    `max_wal_size=${isPersistent ? 4 : 1}GB`,
    // Autovacuum starts a process for each database, by default every twelve seconds.
    'autovacuum_naptime=5min',
  ];
  const unsafe = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];
  return isPersistent ? settings : [...settings, ...unsafe];
}

/** The programs' messages in English, whatever the system's language. */
function reasonIn(output: string): string | undefined {
  return /(?:FATAL|PANIC|error):\s+(.*)/.exec(output)?.[1];
}
