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
      await copy(server, template, `${prefix}_${service}`);
    }
  });
}

/** Databases that are made once per server and then copied. */
export interface Original {
  name: string;
  services: readonly string[];
  /** Makes `<name>_<service>` for each service; nothing may be connected to them afterwards. Returns a note, of anything in JSON. */
  make(): Promise<unknown>;
}

/** Creates `<prefix>_<service>` for each service, copied from the original, which one process makes while others wait. Returns its note. */
export async function copyDatabases(prefix: string, { name, services, make }: Original): Promise<unknown> {
  const [first] = services as [string];
  return withServer(async (server) => {
    const note = await oneAtATime(server, name, async () => {
      const made = await findNote(server, `${name}_${first}`);
      if (made) return made;
      // A killed process may have left some of them.
      await dropDatabases(name, services);
      const text = JSON.stringify(await make());
      await server.query(`comment on database ${name}_${first} is ${pg.escapeLiteral(text)}`);
      return text;
    });
    for (const service of services) await copy(server, `${name}_${service}`, `${prefix}_${service}`);
    return JSON.parse(note);
  });
}

async function findNote(server: pg.ClientBase, database: string): Promise<string | null | undefined> {
  const { rows } = await server.query(
    `select shobj_description(oid, 'pg_database') as note from pg_database where datname = $1`,
    [database],
  );
  return rows[0]?.note;
}

/** Copied as files, for a third of the time that copying through the log takes. */
async function copy(server: pg.ClientBase, template: string, database: string): Promise<void> {
  await server.query(`create database ${database} template ${template} strategy file_copy`);
  // So that changes that would wait for leases fail, see end_leases() of realm.
  await server.query(`alter database ${database} set parley.lease_holders_must_be_told = on`);
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

function ensureTemplate(server: pg.ClientBase, template: string, service: string, directory: string): Promise<void> {
  return oneAtATime(server, template, async () => {
    const { rows } = await server.query(`select 1 from pg_database where datname = $1 and datistemplate`, [template]);
    if (rows.length > 0) return;
    const url = databaseUrl(testServers().databaseUrl, TEMPLATE_PREFIX, service);
    await migrate({ url, service, directory, log: silentLogger });
    await server.query(`alter database ${template} is_template true`);
  });
}

/** Test files run in several processes: one of them makes a template, the others wait for it. */
async function oneAtATime<Result>(server: pg.ClientBase, name: string, work: () => Promise<Result>): Promise<Result> {
  await server.query('select pg_advisory_lock(hashtext($1))', [name]);
  try {
    return await work();
  } finally {
    await server.query('select pg_advisory_unlock(hashtext($1))', [name]);
  }
}

let servers: pg.Pool | undefined;

/** The connection stays open for later tests of the process, whose end it does not delay. */
async function withServer<Result>(work: (server: pg.ClientBase) => Promise<Result>): Promise<Result> {
  const connectionString = testServers().databaseUrl;
  if (servers?.options.connectionString !== connectionString) {
    servers = new pg.Pool({ connectionString, allowExitOnIdle: true, idleTimeoutMillis: 0 });
    // The server ends before this process does.
    servers.on('error', () => {});
  }
  const server = await servers.connect();
  let isBroken = true;
  try {
    const result = await work(server);
    isBroken = false;
    return result;
  } finally {
    server.release(isBroken);
  }
}
