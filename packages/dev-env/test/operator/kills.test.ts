import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createDrafts, createReminder, getMessages, sendMessage } from '@parley/gateway/endpoints';
import { runCommand } from '@parley/operator/run-command';
import { until } from '@parley/shared/testing';
import { type TestClient, TestNetwork } from '../../src';
import { eg } from '../../src/cast/eg';
import { CHECKOUT } from '../../src/start/main-of';
import { killAt, type Step } from '../kill-at';
import { uploadFile } from '../multipart';
import { operatorConfig } from './operator-config';

const COMMAND = path.join(CHECKOUT, 'packages/operator/dist/main.js');

let network: TestNetwork;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'parley-kills-'));
  network = await TestNetwork.create({ settings: { DATA_DIR: folder } });
  for (const client of [network.dan, network.eve, network.faye]) await live(client);
  await network.settle();
});
afterAll(async () => {
  await network?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function live(client: TestClient): Promise<void> {
  const url = await uploadFile(client, { name: 'plan.txt', bytes: `the plan of ${client.userId}` });
  const post = { type: 'channel', to: 'general', topic: 'plans', content: `[plan](${url})` } as const;
  const { id } = await client.call(sendMessage, post);
  await client.call(createDrafts, { drafts: [{ type: '', to: [], topic: '', content: 'A draft' }] } as never);
  const soon = Math.floor(Date.now() / 1_000) + 86_400;
  await client.call(createReminder, { message_id: id, scheduled_delivery_timestamp: soon } as never);
}

const ofHome = (words: readonly string[]) => [...words, '--realm', eg.home.subdomain];
const settings = () => operatorConfig(network, { DATA_DIR: folder });
const operator = async (...words: string[]) => JSON.parse(await runCommand([...ofHome(words), '--json'], settings()));

/** The same in a separate process. */
function startOperator(words: readonly string[]): ChildProcess {
  const environment = { ...process.env, ...settings().environment };
  return spawn(process.execPath, [COMMAND, ...ofHome(words)], { env: environment, stdio: 'ignore' });
}

async function kill(command: ChildProcess): Promise<void> {
  const ended = once(command, 'exit');
  command.kill('SIGKILL');
  await ended;
}

async function killOperatorAt(service: 'messages' | 'scheduler', step: Step, words: readonly string[]): Promise<void> {
  let command: ChildProcess | undefined;
  const victim = { kill: () => kill(command as ChildProcess) };
  await killAt(network.database(service), step, [victim], async () => {
    command = startOperator(words);
  });
}

describe('an erasure that is killed', () => {
  const MESSAGES = { on: 'delete', when: 'true', at: 'statement' } as const;

  test.each([
    ['before what was scheduled is gone', () => network.dan, 'scheduler', 'reminder'],
    ['before drafts are gone', () => network.eve, 'messages', 'draft'],
    ['between messages and the account', () => network.faye, 'messages', 'message'],
  ] as const)('%s is completed by the same command', async (_when, person, service, table) => {
    const { userId, email } = person();
    const words = ['user', 'erase', '--email', email, '--messages', 'delete'];
    await killOperatorAt(service, { table, ...MESSAGES }, words);
    expect(await operator('user', 'show', '--email', email)).toMatchObject({ user_id: userId, is_active: false });
    await person().expectError('USER_DEACTIVATED', getMessages, { anchor: 'newest', num_before: 1, num_after: 0 });
    expect(await operator(...words)).toMatchObject({ user_id: userId });
    await network.settle();
    const { messages } = await network.iris.call(getMessages, { anchor: 'newest', num_before: 100, num_after: 0 });
    expect(messages.filter(({ sender_id }) => sender_id === userId)).toEqual([]);
    expect(await rowsOf(userId)).toEqual({ draft: 0, reminder: 0, message: 0 });
    await expect(operator('user', 'show', '--email', email)).rejects.toThrow('No such user');
    const { entries } = await operator('audit', 'list', '--limit', '1', '--actor', 'operator');
    expect(entries).toMatchObject([{ act: 'erase-user', on: `user ${userId}` }]);
  });
});

async function rowsOf(userId: number): Promise<Record<string, number>> {
  const count = async (service: 'messages' | 'scheduler', table: string, column: string) => {
    const rows = await network.database(service).query(`select 1 from ${table} where ${column} = $1`, [userId]);
    return rows.length;
  };
  return {
    draft: await count('messages', 'draft', 'user_id'),
    reminder: await count('scheduler', 'reminder', 'user_id'),
    message: await count('messages', 'message', 'sender_id'),
  };
}

/** Kills the command while a table of the messages service is kept from it. */
async function killAtTable(table: string, words: readonly string[]): Promise<void> {
  const database = network.database('messages');
  const command = startOperator(words);
  await database.transaction(async (tx) => {
    await tx.query(`lock table ${table} in access exclusive mode`);
    const waiting = `select 1 from pg_locks where relation = '${table}'::regclass and not granted`;
    await until(async () => (await database.query(waiting)).length > 0);
    await kill(command);
  });
}

test.each([
  ['an organization', ['realm', 'export']],
  ['a person', ['user', 'export', '--email', eg.iris.email]],
])('an export of %s that is killed leaves no archive, and the next one is whole', async (_what, words) => {
  const name = `${words[0]}.tar.gz`;
  const file = path.join(folder, name);
  const written = () => readdirSync(folder).filter((each) => each.startsWith(name));
  await killAtTable('draft', [...words, '--to', file]);
  expect(written()).toEqual([expect.stringMatching(/\.partial$/)]);
  await operator(...words, '--to', file);
  expect(written()).toEqual([name]);
  const { stdout, status } = spawnSync('tar', ['-tzf', file], { encoding: 'utf8' });
  expect(status).toBe(0);
  expect(stdout).toContain('manifest.json');
});
