import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { type Database, databaseUrl, migrate, openDatabase } from '../db';
import { silentLogger } from '../observability';

/** The servers that global-setup.ts started. */
export function testServers(): { databaseUrl: string; natsUrl: string } {
  const { TEST_DATABASE_URL: url, TEST_NATS_URL: natsUrl } = process.env;
  if (!url || !natsUrl) throw new Error('the test servers are not running: does jest.config.js name the globalSetup?');
  return { databaseUrl: url, natsUrl };
}

/** For test networks without jest: sets the servers, which the caller has started. */
export function provideTestServers({ databaseUrl: url, natsUrl }: ReturnType<typeof testServers>): void {
  process.env['TEST_DATABASE_URL'] = url;
  process.env['TEST_NATS_URL'] = natsUrl;
}

/** A prefix for the databases and broker names of one test file, so that files can run side by side. */
export function testPrefix(): string {
  return `t${randomBytes(6).toString('hex')}`;
}

const TEMPLATE_PREFIX = 'template';

interface TestSchema {
  service: string;
  /** The service's folder of migrations. */
  directory: string;
}

/** Creates `<prefix>_<service>` for each service, cloned from a template that is migrated once per server. */
export async function cloneDatabases(prefix: string, schemas: readonly TestSchema[]): Promise<void> {
  await withServer(async (server) => {
    for (const { service, directory } of schemas) {
      const template = `${TEMPLATE_PREFIX}_${service}`;
      await ensureTemplate(server, template, service, directory);
      // Copied as files, for a third of the time that copying through the log takes.
      await server.query(`create database ${prefix}_${service} template ${template} strategy file_copy`);
    }
  });
}

export async function dropDatabases(prefix: string, services: readonly string[]): Promise<void> {
  await withServer(async (server) => {
    for (const service of services) await server.query(`drop database if exists ${prefix}_${service} with (force)`);
  });
}

export interface TestDatabase {
  db: Database;
  close(): Promise<void>;
}

/** A separate database with the service's tables, without a running service. */
export async function openTestDatabase(schema: TestSchema, poolSize: number): Promise<TestDatabase> {
  const { service } = schema;
  const prefix = testPrefix();
  await cloneDatabases(prefix, [schema]);
  const url = databaseUrl(testServers().databaseUrl, prefix, service);
  const db = openDatabase({ url, poolSize, applicationName: 'test' });
  return {
    db,
    async close() {
      await db.close();
      await dropDatabases(prefix, [service]);
    },
  };
}

async function ensureTemplate(server: pg.Client, template: string, service: string, directory: string) {
  // Test files run in several processes: one of them creates the template, the others wait for it.
  await server.query('select pg_advisory_lock(hashtext($1))', [template]);
  try {
    const { rows } = await server.query(`select 1 from pg_database where datname = $1 and datistemplate`, [template]);
    if (rows.length > 0) return;
    const url = databaseUrl(testServers().databaseUrl, TEMPLATE_PREFIX, service);
    await migrate({ url, service, directory, log: silentLogger });
    await server.query(`alter database ${template} is_template true`);
  } finally {
    await server.query('select pg_advisory_unlock(hashtext($1))', [template]);
  }
}

async function withServer(work: (server: pg.Client) => Promise<void>): Promise<void> {
  const server = new pg.Client({ connectionString: testServers().databaseUrl });
  await server.connect();
  try {
    await work(server);
  } finally {
    await server.end();
  }
}
