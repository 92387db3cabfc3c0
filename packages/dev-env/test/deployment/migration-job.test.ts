import { type ExecFileException, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { connectRpc, isServing, newCall } from '@parley/shared/rpc';
import { createLogger } from '@parley/shared/service';
import { dropDatabases, testPrefix, testServers } from '@parley/shared/testing';
import pg from 'pg';
import { planReplicas } from '../../src/network/plan';
import { SCHEMAS } from '../../src/network/replica';
import { CHECKOUT, mainOf } from '../../src/start/main-of';

const OWNING = SCHEMAS.map(({ service }) => service);
const NOT_READY = 'not ready: the database lacks migrations';

const prefix = testPrefix();
const [user, owner] = [`${prefix}_user`, `${prefix}_owner`];
const urlAs = (name: string, database = '') =>
  Object.assign(new URL(testServers().databaseUrl), { username: name, password: name, pathname: database }).toString();
const settings = { DATABASE_URL: urlAs(user), MIGRATE_ON_START: 'false' };

/** The sentences of the services' logs, and who waits for one. */
const said: { msg: string; missing?: string[] }[] = [];
const lines = new Writable({
  write(chunk, _encoding, done) {
    said.push(JSON.parse(String(chunk)));
    lines.emit('said');
    done();
  },
});
const saying = (sentence: string) => said.filter(({ msg }) => msg === sentence);

type Plan = Awaited<ReturnType<typeof planReplicas>>;

let replicas: Plan['replicas'];
let addresses: Plan['addresses'];

async function asAdministrator(...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: testServers().databaseUrl });
  await client.connect();
  for (const each of statements) await client.query(each);
  await client.end();
}

beforeAll(async () => {
  await asAdministrator(
    `create role ${user} login password '${user}'`,
    `create role ${owner} login createdb password '${owner}'`,
  );
  const log = createLogger('test', 'info', lines);
  ({ replicas, addresses } = await planReplicas({ prefix, counts: {}, processes: [], overrides: { log }, settings }));
});
afterAll(async () => {
  for (const service of OWNING) await replicas[service][0]?.stop();
  await dropDatabases(prefix, OWNING);
  await asAdministrator(`drop role ${user}`, `drop role ${owner}`);
});

/** Runs the Job of a service: its exit code and output. */
function migrateAlone(service: string, ownerUrl = urlAs(owner)): Promise<{ code: unknown; said: string }> {
  const environment = { ...process.env, DATABASE_URL: urlAs(user), DATABASE_PREFIX: prefix };
  const env = { ...environment, MIGRATION_DATABASE_URL: ownerUrl };
  return new Promise((resolve) => {
    execFile(process.execPath, [path.join(CHECKOUT, `services/${service}/dist/migrate.js`)], { env }, (error, stdout) =>
      resolve({ code: (error as ExecFileException | null)?.code ?? 0, said: stdout }),
    );
  });
}

async function isRealmServing(): Promise<boolean> {
  const realm = connectRpc('realm', addresses.realm[0] as string);
  const answer = await isServing(realm, 5_000);
  realm.close();
  return answer;
}

/** A call of each service that writes to its database, the next one's on what the one before has made. */
async function callEach(): Promise<number> {
  const realm = connectRpc('realm', addresses.realm[0] as string);
  const messages = connectRpc('messages', addresses.messages[0] as string);
  const scheduler = connectRpc('scheduler', addresses.scheduler[0] as string);
  const invites = connectRpc('invites', addresses.invites[0] as string);
  const ada = { ownerEmail: 'ada@example.org', ownerName: 'Ada' };
  const owner = await realm.client.createRealm(newCall(), { name: 'Example', subdomain: 'example', ...ada });
  const caller = { ...newCall(), realmId: owner.realmId, userId: owner.userId };
  const note = { content: 'to do', isDirect: true, recipientIds: [owner.userId], recipientEmails: [] };
  const { messageId } = await messages.client.sendMessage(caller, {
    ...note,
    isReadBySender: true,
    clientName: 'test',
  });
  const deliverAtMs = Date.now() + 3_600_000;
  await scheduler.client.createReminder(caller, { messageId, note: '', deliverAtMs });
  const terms = { invitedAs: 400, channelIds: [], groupIds: [], includesDefaultChannels: true, isValidForEver: false };
  await invites.client.createInvitationLink(caller, { terms });
  for (const { close } of [realm, messages, scheduler, invites]) close();
  return messageId;
}

test('services without the right to migrate log what they wait for, start after the jobs, and may change rows only', async () => {
  const starting = Promise.all(OWNING.map((service) => replicas[service][0]?.start()));
  while (saying(NOT_READY).length < OWNING.length) await once(lines, 'said');
  for (const { missing } of saying(NOT_READY)) expect(missing).toContain('000001-init.sql');
  expect(await isRealmServing()).toBe(false);
  const ran = await Promise.all(OWNING.map((service) => migrateAlone(service)));
  expect(ran).toEqual(OWNING.map(() => ({ code: 0, said: expect.stringContaining('the database is up to date') })));
  await starting;
  expect(await isRealmServing()).toBe(true);
  expect(await callEach()).toEqual(expect.any(Number));
  const client = new pg.Client({ connectionString: urlAs(user, `${prefix}_realm`) });
  await client.connect();
  await expect(client.query('create table other (id int)')).rejects.toThrow('permission denied for schema public');
  // Except partitions of the outbox, by the owner's function.
  await client.query(`select setval('outbox_id_seq', 2000000)`);
  await client.query('select create_outbox_partition()');
  expect((await client.query('select from outbox_partitions()')).rows).toHaveLength(2);
  await client.end();
});

test('a process stopped while it waits for migrations exits cleanly', async () => {
  const environment = { ...process.env, ...settings, NATS_URL: testServers().natsUrl };
  const env = { ...environment, DATABASE_URL: testServers().databaseUrl, DATABASE_PREFIX: testPrefix() };
  const child = spawn(process.execPath, [mainOf('realm')], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      if (line.includes(NOT_READY)) child.kill('SIGTERM');
    }
    expect(await ended).toEqual([0, null]);
  } finally {
    child.kill('SIGKILL');
  }
});

test('a job that cannot do its work fails', async () => {
  const { code, said: reason } = await migrateAlone('scheduler', 'postgresql://nobody@127.0.0.1:1');
  expect(code).toBe(1);
  expect(reason).toContain('cannot migrate');
});
