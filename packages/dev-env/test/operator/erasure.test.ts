import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  createDrafts,
  createReminder,
  createScheduledMessage,
  getMessages,
  sendMessage,
  updateFlags,
  updateOwnStatus,
} from '@parley/gateway/endpoints';
import { runCommand } from '@parley/operator/run-command';
import { type TestClient, TestNetwork } from '../../src';
import { eg } from '../../src/cast/eg';
import { uploadFile } from '../multipart';
import { newScimToken, scimRequests } from '../provisioning/scim-client';
import { operatorConfig } from './operator-config';

const SERVICES = ['realm', 'messages', 'invites', 'scheduler'] as const;
/** Announced events are kept for a week, as in the log; acts of administrators for the configured time. */
const KEPT_FOR_A_WHILE = /^(outbox(_\w+)?|audit_entry)$/;

let network: TestNetwork;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'parley-erasure-'));
  network = await TestNetwork.create({ settings: { DATA_DIR: folder } });
  for (const client of [network.dan, network.eve]) await live(client);
  await network.settle();
});
afterAll(async () => {
  await network?.stop();
  await rm(folder, { recursive: true, force: true });
});

async function admin(...words: string[]) {
  const config = operatorConfig(network, { DATA_DIR: folder });
  return JSON.parse(await runCommand([...words, '--realm', eg.home.subdomain, '--json'], config));
}

const soon = () => Math.floor(Date.now() / 1_000) + 86_400;
const written = new Map<TestClient, number[]>();

/** Creates some of each kind of a user's data. */
async function live(client: TestClient): Promise<void> {
  const url = await uploadFile(client, { name: `linked-${client.userId}.txt`, bytes: `linked of ${client.userId}` });
  await uploadFile(client, { name: `unused-${client.userId}.txt`, bytes: `unused of ${client.userId}` });
  const post = { type: 'channel', to: 'general', topic: 'plans', content: `My own words: [file](${url})` } as const;
  const { id } = await client.call(sendMessage, post);
  const { id: direct } = await client.call(sendMessage, {
    type: 'direct',
    to: [network.iris.userId],
    content: 'For you',
  });
  await network.iris.call(sendMessage, { type: 'direct', to: [client.userId], content: `Answer to ${client.userId}` });
  written.set(client, [id, direct]);
  await client.call(updateFlags, { messages: [id], op: 'add', flag: 'starred' });
  await client.call(createDrafts, { drafts: [{ type: '', to: [], topic: '', content: 'A draft' }] } as never);
  const later = { type: 'direct', to: [network.iris.userId], content: 'Later', scheduled_delivery_timestamp: soon() };
  await client.call(createScheduledMessage, later as never);
  await client.call(createReminder, { message_id: id, scheduled_delivery_timestamp: soon() } as never);
  await client.call(updateOwnStatus, { status_text: 'Fishing' });
}

/** Tables of any service with a row that has the text. */
async function tablesWith(text: string): Promise<string[]> {
  const found: string[] = [];
  for (const service of SERVICES) {
    const db = network.database(service);
    const tables = await db.query<{ name: string }>(
      "select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'",
    );
    for (const { name } of tables) {
      const rows = await db.query(`select 1 from ${name} t where strpos(t::text, $1) > 0 limit 1`, [text]);
      if (rows.length > 0) found.push(name);
    }
  }
  return [...new Set(found)].filter((name) => !KEPT_FOR_A_WHILE.test(name));
}

/** Tables that stay, for an account without a name: access to messages, and mentions in others' texts, follow from them. */
const KEPT_TABLES = [
  'subscription',
  'subscription_interval',
  'user_group_member',
  'direct_contact',
  'mention',
  'reaction',
  // The fact that they no longer invite.
  'inviter',
  // The fact that an identity provider does not see the account.
  'scim_user',
];

/** Tables of any service with rows of the user, except those that are kept. */
async function personalTables(userId: number): Promise<string[]> {
  const found: string[] = [];
  for (const service of SERVICES) {
    const db = network.database(service);
    const tables = await db.query<{ name: string }>(
      "select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'user_id'",
    );
    for (const { name } of tables) {
      const rows = await db.query(`select 1 from ${name} where user_id = $1 limit 1`, [userId]);
      if (rows.length > 0 && !KEPT_TABLES.includes(name)) found.push(`${service}: ${name}`);
    }
  }
  return found;
}

const messagesFor = async (client: TestClient) =>
  (await client.call(getMessages, { anchor: 'newest', num_before: 100, num_after: 0 })).messages;

test('an export of a user has all their data, also files without links', async () => {
  const file = path.join(folder, 'dan.tar.gz');
  expect(await admin('user', 'export', '--email', eg.dan.email, '--to', file)).toMatchObject({ file });
  await rm(path.join(folder, 'out'), { recursive: true, force: true });
  const out = await mkdtemp(path.join(folder, 'out-'));
  expect(spawnSync('tar', ['-xzf', file, '-C', out]).status).toBe(0);
  const rows = await rowsIn(out);
  expect(rows['user_account']).toEqual([expect.objectContaining({ delivery_email: eg.dan.email })]);
  const contents = rows['message']?.map(({ content }) => content) ?? [];
  expect(contents.some((each) => String(each).startsWith('My own words'))).toBe(true);
  expect(contents).toContain(`Answer to ${network.dan.userId}`);
  expect(contents.filter((each) => String(each).includes(`of ${network.eve.userId}`))).toEqual([]);
  expect(rows['message']?.filter(({ sender_id }) => sender_id === network.eve.userId)).toEqual([]);
  expect(rows['draft']).toMatchObject([{ content: 'A draft' }]);
  expect(rows['scheduled_message']).toMatchObject([{ content: 'Later' }]);
  expect(rows['user_status']).toMatchObject([{ status_text: 'Fishing' }]);
  expect(rows['attachment']).toHaveLength(2);
  expect(JSON.stringify(rows)).not.toMatch(/password_hash|key_hash/);
  const files = await readdir(path.join(out, 'files'), { recursive: true });
  expect(files.map((name) => path.basename(name))).toContain(`unused-${network.dan.userId}.txt`);
  const { entries } = await admin('audit', 'list', '--limit', '1', '--actor', 'operator');
  expect(entries).toMatchObject([{ act: 'export-user', on: `user ${network.dan.userId}` }]);
});

async function rowsIn(out: string): Promise<Record<string, Record<string, unknown>[]>> {
  const rows: Record<string, Record<string, unknown>[]> = {};
  for (const name of await readdir(out, { recursive: true })) {
    const [, table] = /\d-([a-z_]+)\.ndjson$/.exec(name) ?? [];
    if (table === undefined) continue;
    const lines = (await readFile(path.join(out, name), 'utf8')).trimEnd().split('\n');
    rows[table] = [...(rows[table] ?? []), ...lines.map((line) => JSON.parse(line))];
  }
  return rows;
}

test('an organization is exported with files that nothing links to', async () => {
  const file = path.join(folder, 'home.tar.gz');
  await admin('realm', 'export', '--to', file);
  const { stdout } = spawnSync('tar', ['-tzf', file], { encoding: 'utf8' });
  expect(stdout).toContain(`unused-${network.eve.userId}.txt`);
});

test('a person is erased, and their messages stay as those of an account without a name', async () => {
  const { userId } = network.dan;
  const events = await network.iris.events();
  expect(await admin('user', 'erase', '--email', eg.dan.email, '--messages', 'keep')).toMatchObject({
    user_id: userId,
  });
  await network.settle();
  const heard = await events.rest();
  expect(heard).toContainEqual(
    expect.objectContaining({
      type: 'realm_user',
      person: expect.objectContaining({ full_name: `Erased user ${userId}` }),
    }),
  );
  await network.dan.expectError('UNAUTHORIZED', getMessages, { anchor: 'newest', num_before: 1, num_after: 0 });
  expect(await personalTables(userId)).toEqual([]);
  expect(await tablesWith(eg.dan.email)).toEqual([]);
  expect(await tablesWith(eg.dan.fullName)).toEqual([]);
  const own = (await messagesFor(network.iris)).filter(({ sender_id }) => sender_id === userId);
  expect(own.map(({ id }) => id)).toEqual(expect.arrayContaining(written.get(network.dan) as number[]));
  expect(own.map(({ sender_full_name }) => sender_full_name)).toEqual(own.map(() => `Erased user ${userId}`));
  const { entries } = await admin('audit', 'list', '--limit', '1', '--actor', 'operator');
  expect(entries).toMatchObject([
    { act: 'erase-user', by: 'operator', on: `user ${userId}`, after: '{"messages":"kept"}' },
  ]);
  // A second time there is nothing to do, and nothing is recorded.
  expect(await admin('user', 'erase', '--id', String(userId), '--messages', 'keep')).toMatchObject({ deleted: 0 });
  expect((await admin('audit', 'list', '--limit', '1', '--actor', 'operator')).entries).toEqual(entries);
});

test('an erased person does not exist for an identity provider, which makes a new account for them', async () => {
  const scim = scimRequests(network, (await newScimToken(network)).token);
  const person = { userName: 'hanna@example.com', externalId: 'h-1', displayName: 'Hanna' };
  const { json: hanna } = await scim('POST', '/Users', person);
  await admin('user', 'erase', '--email', person.userName, '--messages', 'keep');
  for (const [method, body] of [['GET'], ['PUT', { ...person, active: true }]] as const)
    expect(await scim(method, `/Users/${hanna.id}`, body)).toMatchObject({ status: 404 });
  expect((await scim('GET', '/Users?count=200')).json.Resources).not.toContainEqual(
    expect.objectContaining({ id: hanna.id }),
  );
  const { status, json } = await scim('POST', '/Users', person);
  expect([status, json.displayName, json.id === hanna.id]).toEqual([201, 'Hanna', false]);
});

test('a person is erased with their messages, and clients are notified', async () => {
  const { userId } = network.eve;
  const events = await network.iris.events();
  await admin('user', 'erase', '--email', eg.eve.email, '--messages', 'delete');
  await network.settle();
  const deleted = (await events.rest()).filter(({ type }) => type === 'delete_message');
  expect(deleted.flatMap((event) => event['message_id'] ?? event['message_ids']).sort()).toEqual(
    [...(written.get(network.eve) as number[])].sort(),
  );
  expect((await messagesFor(network.iris)).filter(({ sender_id }) => sender_id === userId)).toEqual([]);
  expect(await tablesWith('My own words: [file](/user_uploads/1/')).not.toContain('archived_message');
  expect(await personalTables(userId)).toEqual([]);
  const files = await network
    .database('messages')
    .query(
      `select 1 from attachment where owner_id = $1 and state = 'stored' and (expires_at is null or expires_at > now())`,
      [userId],
    );
  expect(files).toEqual([]);
});

test('neither the only owner nor a bot is erased, and the user must be named', async () => {
  const erase = (...words: string[]) => admin('user', 'erase', '--messages', 'keep', ...words);
  await expect(erase('--email', eg.iris.email)).rejects.toThrow('Cannot deactivate the only organization owner');
  await expect(erase('--email', eg.robo.email)).rejects.toThrow('This is the account of a bot');
  await expect(erase('--id', '999999')).rejects.toThrow('No such user');
  await expect(erase()).rejects.toThrow('give --email or --id');
});
