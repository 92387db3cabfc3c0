import { loadMigrationConfig } from './config';
import { die, endIfExplained, orExit } from './exit';
import { createLogger } from './logger';
import { migrateService } from './migrate-service';

/**
 * The life of a process that brings a service's database up to date and ends, with exit code 1 when that failed: `migrate.ts` of every
 * service with a database. It may run beside replicas, and beside another of its kind, which waits for it.
 */
export async function runMigrations(service: string, directory: string): Promise<void> {
  const config = orExit(loadMigrationConfig);
  const log = createLogger(service, config.LOG_LEVEL);
  // The first process of a container is not ended by a signal that it does not listen to.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(1));
  try {
    const applied = await migrateService(config, { service, directory, log });
    log.info({ applied: applied.length }, 'the database is up to date');
  } catch (error) {
    endIfExplained(error);
    die(log, error, 'cannot migrate');
  }
}
