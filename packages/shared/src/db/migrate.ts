import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from '../service';

const SHARED_MIGRATIONS = path.resolve(__dirname, '../../migrations');
const FILE_NAME = /^\d{6}-[a-z0-9-]+\.sql$/;
const LOCK_TIMEOUT_MS = 60_000;
const DATABASE_EXISTS = new Set(['42P04', '23505']);

export interface MigrateOptions {
  /** The service's own database; made when it does not exist. */
  url: string;
  service: string;
  /** The service's folder of 000001-name.sql files. */
  directory: string;
  log: Logger;
}

interface Migration {
  name: string;
  text: string;
  sha256: string;
}

/**
 * Brings a service's database to the present schema, the outbox included. Called at every start; replicas that start at once
 * wait for one another. A file that was changed after it was applied is refused. Returns the names it applied.
 */
export async function migrate({ url, service, directory, log }: MigrateOptions): Promise<string[]> {
  await ensureDatabase(url);
  const migrations = [
    ...(await readMigrations(SHARED_MIGRATIONS, 'shared/')),
    ...(await readMigrations(directory, '')),
  ];
  const client = new pg.Client({ connectionString: url, application_name: `migrate:${service}` });
  await client.connect();
  try {
    await lock(client, service);
    return await applyMissing(client, service, migrations, log);
  } finally {
    await client.end();
  }
}

async function ensureDatabase(url: string): Promise<void> {
  const server = new URL(url);
  const name = server.pathname.slice(1);
  server.pathname = '/postgres';
  const client = new pg.Client({ connectionString: server.toString() });
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

async function readMigrations(directory: string, prefix: string): Promise<Migration[]> {
  const names = (await readdir(directory)).filter((name) => FILE_NAME.test(name)).sort();
  return Promise.all(
    names.map(async (name) => {
      const text = (await readFile(path.join(directory, name), 'utf8')).replace(/\r\n/g, '\n');
      return { name: prefix + name, text, sha256: createHash('sha256').update(text).digest('hex') };
    }),
  );
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

async function applyMissing(client: pg.Client, service: string, migrations: Migration[], log: Logger) {
  await client.query(`create table if not exists schema_migration (
    name text primary key, sha256 text not null, applied_at timestamptz not null default now())`);
  const { rows } = await client.query<{ name: string; sha256: string }>('select name, sha256 from schema_migration');
  const done = new Map(rows.map((row) => [row.name, row.sha256]));
  const applied: string[] = [];
  for (const migration of migrations) {
    const sha256 = done.get(migration.name);
    if (sha256 === migration.sha256) continue;
    if (sha256 !== undefined) throw new Error(`${service}: ${migration.name} was changed after it was applied`);
    await apply(client, migration);
    applied.push(migration.name);
    log.info({ migration: migration.name }, 'migration applied');
  }
  return applied;
}

/** One transaction a file; a file marked `-- migrate: no-transaction` holds one statement that can be repeated. */
async function apply(client: pg.Client, { name, text, sha256 }: Migration): Promise<void> {
  const isTransactional = !/^-- migrate: no-transaction\s*$/m.test(text);
  const record = () => client.query('insert into schema_migration (name, sha256) values ($1, $2)', [name, sha256]);
  try {
    if (isTransactional) await client.query('begin');
    await client.query(text);
    await record();
    if (isTransactional) await client.query('commit');
  } catch (error) {
    if (isTransactional) await client.query('rollback');
    throw new Error(`migration ${name}: ${(error as Error).message}`, { cause: error });
  }
}
