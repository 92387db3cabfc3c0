import { databaseUrl, inspectServer, type MigrateOptions, migrate } from '../db';
import { createLogger } from '../observability';
import { loadMigrationConfig } from './config';
import { die, endIfExplained, orExit } from './exit';
import { showSourcePositions } from './source-positions';

/**
 * The life cycle of a process that migrates a service's database and ends, with exit code 1 after a failure: `migrate.ts` of
 * every service with a database. It may run beside replicas, and beside another such process, which waits for it.
 */
export async function runMigrations(service: string, directory: string): Promise<void> {
  showSourcePositions();
  const config = orExit(loadMigrationConfig);
  const log = createLogger(service, config.LOG_LEVEL);
  // The first process of a container ignores signals that it does not handle.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(1));
  try {
    const applied = await migrateService(config, { service, directory, log });
    log.info({ applied: applied.length }, 'the database is up to date');
  } catch (error) {
    endIfExplained(error);
    die(log, error, 'cannot migrate');
  }
}

type MigrationConfig = Omit<ReturnType<typeof loadMigrationConfig>, 'LOG_LEVEL'>;

/** Migrates a service's database according to its settings: as the service's user, or as another one who grants it access. */
export async function migrateService(
  { DATABASE_URL, DATABASE_PREFIX, MIGRATION_DATABASE_URL = DATABASE_URL }: MigrationConfig,
  schema: Pick<MigrateOptions, 'service' | 'directory' | 'log'>,
): Promise<string[]> {
  const [user, owner] = [DATABASE_URL, MIGRATION_DATABASE_URL].map((url) => decodeURIComponent(new URL(url).username));
  const url = databaseUrl(MIGRATION_DATABASE_URL, DATABASE_PREFIX, schema.service);
  // The service's own database may not exist yet.
  await inspectServer(Object.assign(new URL(url), { pathname: '/postgres' }).toString());
  return migrate({ ...schema, url, user: user === owner ? undefined : user });
}
