import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { MigrateOptions } from './migrate';
import { findMissing, type Migration, readMigrations } from './migrations';

const ASK_EVERY_MS = 1_000;
/** How often it is told what is waited for. */
const TELL_EVERY = 30;
const NO_SUCH_DATABASE = '3D000';
const NO_SUCH_TABLE = '42P01';

/**
 * Resolves once a database, which somebody else migrates, has the present schema or a later one; says in the log what is missing until
 * then. Called at a start that must not migrate. Rejects when `stopping` ends it, and for what migrate() refuses, too.
 */
export async function awaitSchema(
  { url, service, directory, log }: MigrateOptions,
  stopping: AbortSignal,
): Promise<void> {
  const migrations = await readMigrations(directory);
  for (let asked = 0; ; asked += 1) {
    const missing = await missingIn(url, service, migrations);
    if (missing.length === 0) return;
    if (asked % TELL_EVERY === 0) log.warn({ missing }, 'not ready: the database lacks migrations');
    await sleep(ASK_EVERY_MS, undefined, { signal: stopping });
  }
}

async function missingIn(url: string, service: string, migrations: readonly Migration[]): Promise<string[]> {
  const client = new pg.Client({ connectionString: url, application_name: `await-schema:${service}` });
  // NOTE: without a listener the loss of the connection would end the process.
  client.on('error', () => {});
  try {
    await client.connect();
    return (await findMissing(client, service, migrations)).map(({ name }) => name);
  } catch (error) {
    const { code } = error as { code?: string };
    if (code !== NO_SUCH_DATABASE && code !== NO_SUCH_TABLE) throw error;
    return migrations.map(({ name }) => name);
  } finally {
    await client.end();
  }
}
