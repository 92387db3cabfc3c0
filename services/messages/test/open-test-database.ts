import path from 'node:path';
import { type Database, databaseUrl, openDatabase } from '@parley/shared/db';
import { cloneDatabases, dropDatabases, testPrefix, testServers } from '@parley/shared/testing';

const MIGRATIONS = path.resolve(__dirname, '../migrations');

/** A database of its own, without a service that runs on it. */
export async function openTestDatabase(): Promise<{ db: Database; close(): Promise<void> }> {
  const prefix = testPrefix();
  await cloneDatabases(prefix, [{ service: 'messages', directory: MIGRATIONS }]);
  const url = databaseUrl(testServers().databaseUrl, prefix, 'messages');
  const db = openDatabase({ url, poolSize: 4, applicationName: 'test' });
  return {
    db,
    async close() {
      await db.close();
      await dropDatabases(prefix, ['messages']);
    },
  };
}
