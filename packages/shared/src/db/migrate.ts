import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../observability';
import pg, { createClient } from './driver';
import { type InspectedServer, inspectBy } from './inspect-server';

/** Timeout for a table's lock, per attempt. */
const MAX_LOCK_WAIT_MS = 1_000;
const LOCK_PAUSE_MS = 500;
const MAX_LOCK_TRIES = 200;
/** Timeout for another replica's migration, which may have to wait for tables. */
const LOCK_TIMEOUT_MS = MAX_LOCK_TRIES * (MAX_LOCK_WAIT_MS + LOCK_PAUSE_MS) + 60_000;
const LOCK_NOT_AVAILABLE = '55P03';
const DATABASE_EXISTS = new Set(['42P04', '23505']);

export interface MigrateOptions {
  /** The service's own database; created if it does not exist. */
  url: string;
  service: string;
  /** The service's folder of 000001-name.sql files. */
  directory: string;
  log: Logger;
  /** The service's database user, if another one migrates: it may only read and write rows, and analyze. */
  user?: string | undefined;
}

/**
 * Migrates a service's database to the current schema, including the outbox. Called at each start that may migrate, or before;
 * concurrent starts wait for one another. A file that was changed after it was applied is refused. Returns the names of the
 * applied files.
 */
export async function migrate({ url, service, directory, log, user }: MigrateOptions): Promise<string[]> {
  await ensureDatabase(url);
  const migrations = await readMigrations(directory);
  const client = createClient({ connectionString: url, application_name: `migrate:${service}` });
  await client.connect();
  try {
    await lock(client, service);
    if (user !== undefined) await admit(client, user);
    return await applyMissing(client, service, migrations, log);
  } finally {
    await client.end();
  }
}

async function ensureDatabase(url: string): Promise<void> {
  const server = new URL(url);
  const name = server.pathname.slice(1);
  server.pathname = '/postgres';
  const client = createClient({ connectionString: server.toString() });
  await client.connect();
  try {
    const found = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (found.rowCount === 0) await client.query(`create database ${pg.escapeIdentifier(name)}`);
  } catch (error) {
    if (!DATABASE_EXISTS.has((error as { code?: string }).code ?? '')) throw error;
  } finally {
    await client.end();
  }
}

async function lock(client: pg.Client, service: string): Promise<void> {
  const giveUpAt = Date.now() + LOCK_TIMEOUT_MS;
  // NOTE: polled, not waited for: a session waiting in pg_advisory_lock() holds a snapshot, which deadlocks with another's
  // create index concurrently.
  for (;;) {
    const { rows } = await client.query('select pg_try_advisory_lock(hashtextextended($1, 0)) as ok', [
      `migrate:${service}`,
    ]);
    if (rows[0].ok) return;
    if (Date.now() > giveUpAt) throw new Error(`${service}: another migration has not ended in ${LOCK_TIMEOUT_MS} ms`);
    await sleep(100 + Math.random() * 100);
  }
}

/** Grants on existing and future tables: a service starts as soon as its last migration is applied. */
async function admit(client: pg.Client, user: string): Promise<void> {
  const name = pg.escapeIdentifier(user);
  const { rows } = await client.query(`select current_setting('server_version_num')::int >= 170000 as "hasMaintain"`);
  // To analyze filled tables; before PostgreSQL 17 only the owner can.
  const maintain = rows[0].hasMaintain ? ', maintain' : '';
  for (const [rights, what] of [
    [`select, insert, update, delete${maintain}`, 'tables'],
    ['usage, update', 'sequences'],
  ]) {
    await client.query(`grant ${rights} on all ${what} in schema public to ${name}`);
    await client.query(`alter default privileges in schema public grant ${rights} on ${what} to ${name}`);
  }
}

async function applyMissing(client: pg.Client, service: string, migrations: readonly Migration[], log: Logger) {
  await client.query(`create table if not exists schema_migration (
    name text primary key, sha256 text not null, applied_at timestamptz not null default now())`);
  const missing = await findMissing(client, service, migrations);
  for (const migration of missing) {
    await apply(client, migration, log);
    log.info({ migration: migration.name }, 'migration applied');
  }
  return missing.map(({ name }) => name);
}

async function apply(client: pg.Client, migration: Migration, log: Logger): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await (isTransactional(migration) ? applyInTransaction(client, migration) : applyAlone(client, migration));
    } catch (error) {
      const isLockMissing = (error as { code?: string }).code === LOCK_NOT_AVAILABLE;
      if (!isLockMissing || tries === MAX_LOCK_TRIES) {
        throw new Error(`migration ${migration.name}: ${(error as Error).message}`, { cause: error });
      }
      log.info({ migration: migration.name, tries }, 'migration waits for a lock');
      await sleep(LOCK_PAUSE_MS);
    }
  }
}

/** A file marked `-- migrate: no-transaction` contains one repeatable statement. */
function isTransactional({ text }: Migration): boolean {
  return !/^-- migrate: no-transaction\s*$/m.test(text);
}

function record(client: pg.Client, { name, sha256 }: Migration) {
  return client.query('insert into schema_migration (name, sha256) values ($1, $2)', [name, sha256]);
}

async function applyInTransaction(client: pg.Client, migration: Migration): Promise<void> {
  try {
    await client.query('begin');
    // A statement that waits for a table's lock makes all others wait behind it, also readers: so it times out and is retried.
    await client.query(`set local lock_timeout = ${MAX_LOCK_WAIT_MS}`);
    await client.query(migration.text);
    await record(client, migration);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

async function applyAlone(client: pg.Client, migration: Migration): Promise<void> {
  await dropHalfMadeIndexes(client);
  await client.query(migration.text);
  await record(client, migration);
}

/** An interrupted index build leaves an invalid index, which "if not exists" would accept. */
async function dropHalfMadeIndexes(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select indexrelid::regclass::text as name from pg_index where not indisvalid`,
  );
  for (const { name } of rows) await client.query(`drop index concurrently if exists ${name}`);
}

const SHARED_MIGRATIONS = path.resolve(__dirname, '../../migrations');
const FILE_NAME = /^\d{6}-[a-z0-9-]+\.sql$/;

interface Migration {
  name: string;
  text: string;
  sha256: string;
}

/**
 * The migrations of a service's database, in order: the outbox, which all of them have, then the files of the service's folder.
 */
async function readMigrations(directory: string): Promise<Migration[]> {
  return [...(await readFolder(SHARED_MIGRATIONS, 'shared/')), ...(await readFolder(directory, ''))];
}

async function readFolder(directory: string, prefix: string): Promise<Migration[]> {
  const names = (await readdir(directory)).filter((name) => FILE_NAME.test(name)).sort();
  return Promise.all(
    names.map(async (name) => {
      const text = (await readFile(path.join(directory, name), 'utf8')).replace(/\r\n/g, '\n');
      return { name: prefix + name, text, sha256: createHash('sha256').update(text).digest('hex') };
    }),
  );
}

/** Migrations that the database lacks. Throws when an applied file has changed since. */
async function findMissing(client: pg.Client, service: string, migrations: readonly Migration[]) {
  const { rows } = await client.query<{ name: string; sha256: string }>('select name, sha256 from schema_migration');
  const done = new Map(rows.map((row) => [row.name, row.sha256]));
  const changed = migrations.find(({ name, sha256 }) => (done.get(name) ?? sha256) !== sha256);
  if (changed) throw new Error(`${service}: ${changed.name} was changed after it was applied`);
  return migrations.filter(({ name }) => !done.has(name));
}

const ASK_EVERY_MS = 1_000;
/** How often the log names the missing migrations. */
const TELL_EVERY = 30;
const NO_SUCH_DATABASE = '3D000';
const NO_SUCH_TABLE = '42P01';

/**
 * Resolves when a database, which another process migrates, has the current schema or a later one; logs what is missing until
 * then. Called at a start that must not migrate. Inspects the server by the same connection; rejects like inspectServer() and
 * migrate(), and when `stopping` is aborted.
 */
export async function awaitSchema(
  { url, service, directory, log }: MigrateOptions,
  stopping: AbortSignal,
): Promise<InspectedServer> {
  const migrations = await readMigrations(directory);
  for (let asked = 0; ; asked += 1) {
    const { missing, inspected } = await lookAt(url, service, migrations);
    if (inspected) return inspected;
    if (asked % TELL_EVERY === 0) log.warn({ missing }, 'not ready: the database lacks migrations');
    await sleep(ASK_EVERY_MS, undefined, { signal: stopping });
  }
}

interface Look {
  missing: string[];
  /** Absent while migrations are missing. */
  inspected?: InspectedServer;
}

async function lookAt(url: string, service: string, migrations: readonly Migration[]): Promise<Look> {
  const client = createClient({ connectionString: url, application_name: `await-schema:${service}` });
  try {
    await client.connect();
    const missing = (await findMissing(client, service, migrations)).map(({ name }) => name);
    return missing.length > 0 ? { missing } : { missing, inspected: await inspectBy(client, url) };
  } catch (error) {
    const { code } = error as { code?: string };
    if (code !== NO_SUCH_DATABASE && code !== NO_SUCH_TABLE) throw error;
    return { missing: migrations.map(({ name }) => name) };
  } finally {
    await client.end();
  }
}
