import { databaseUrl, inspectServer, type MigrateOptions, migrate } from '../db';
import type { loadMigrationConfig } from './config';

type MigrationConfig = Omit<ReturnType<typeof loadMigrationConfig>, 'LOG_LEVEL'>;

/** Brings a service's database up to date as its settings say: as the service itself, or as somebody else who lets it in. */
export async function migrateService(
  { DATABASE_URL, DATABASE_PREFIX, MIGRATION_DATABASE_URL = DATABASE_URL }: MigrationConfig,
  schema: Pick<MigrateOptions, 'service' | 'directory' | 'log'>,
): Promise<string[]> {
  const [user, owner] = [DATABASE_URL, MIGRATION_DATABASE_URL].map((url) => decodeURIComponent(new URL(url).username));
  const url = databaseUrl(MIGRATION_DATABASE_URL, DATABASE_PREFIX, schema.service);
  // Its own database may not be there yet.
  await inspectServer(Object.assign(new URL(url), { pathname: '/postgres' }).toString());
  return migrate({ ...schema, url, user: user === owner ? undefined : user });
}
