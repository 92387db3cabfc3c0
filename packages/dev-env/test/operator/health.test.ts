import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sendMessage } from '@parley/gateway/endpoints';
import { runCommand } from '@parley/operator/run-command';
import { until } from '@parley/shared/testing';
import { TestNetwork } from '../../src';
import { eg } from '../../src/cast/eg';
import { operatorConfig } from './operator-config';

const SECRETS = {
  BOT_KEY_SECRET: 'bot-secret-'.repeat(4),
  INVITATION_KEY_SECRET: 'invitation-secret-'.repeat(4),
  UPLOAD_TOKEN_SECRET: 'upload-secret-'.repeat(4),
  SMTP_URL: 'smtp://mailer:smtp-password@127.0.0.1:1',
};
const WRITTEN = 'nobody else is to read this';

let network: TestNetwork;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'parley-health-'));
  network = await TestNetwork.create({ settings: { DATA_DIR: folder, ...SECRETS } });
  // A result from the time of the start is cached for a second.
  await until(async () => (await fetch(`http://${network.address}/health/ready`)).status === 200);
  await network.dan.call(sendMessage, { type: 'channel', to: 'general', topic: 'private', content: WRITTEN });
});
afterAll(async () => {
  await network?.stop();
  await rm(folder, { recursive: true, force: true });
});

function run(words: string, changes: Record<string, string> = {}, printed: string[] = []) {
  const config = operatorConfig(network, { DATA_DIR: folder, GATEWAY_URL: `http://${network.address}`, ...changes });
  const terminal = { print: async (text: string) => void printed.push(text), say: () => {} };
  return runCommand([...words.split(' '), '--json'], config, terminal);
}

interface Check {
  what: string;
  is: string;
  detail: string;
}

/** The result of each check, and the command's error. */
async function check(changes: Record<string, string> = {}) {
  const printed: string[] = [];
  const error = await run('config check', changes, printed).then(
    (text) => {
      printed.push(text);
      return null;
    },
    (failure: Error) => failure.message,
  );
  const { checks } = JSON.parse(printed.join('')) as { checks: Check[] };
  return { error, checks: new Map(checks.map(({ what, ...said }) => [what, said])) };
}

test('everything is checked, and faults are reported', async () => {
  const { error, checks } = await check();
  expect(checks.get('realm')).toEqual({ is: 'ok', detail: expect.stringMatching(/^Parley \S+, Node v\d+/) });
  expect(checks.get('messages: postgresql')).toEqual({ is: 'ok', detail: expect.stringMatching(/^PostgreSQL \d+/) });
  expect(checks.get('events: nats')).toEqual({
    is: 'ok',
    detail: expect.stringMatching(/^NATS \S+, JetStream with \d+ streams, max_payload \d+$/),
  });
  expect(checks.get('gateway')).toEqual({ is: 'ok', detail: 'ready' });
  expect(checks.get('uploaded files')).toMatchObject({ is: 'ok' });
  // No server listens there.
  for (const service of ['realm', 'invites', 'scheduler']) {
    const refused = { is: 'wrong', detail: expect.stringContaining('ECONNREFUSED') };
    expect(checks.get(`${service}: smtp`)).toMatchObject(refused);
  }
  expect(error).toMatch(/^3 things are wrong: realm: smtp: /);
});

test('settings come first, as the services would read them', async () => {
  expect((await check()).checks.get('settings')).toMatchObject({ is: 'ok' });
  const { error, checks } = await check({ RATE_LIMITS: 'often' });
  expect(error).toMatch(/^one thing is wrong: settings: RATE_LIMITS .* \(gateway\)$/);
  expect([...checks.keys()]).toEqual(['settings']);
});

test('a service that does not answer does not prevent the other checks', async () => {
  const { error, checks } = await check({ EVENTS_ADDRESS: '127.0.0.1:1', GATEWAY_URL: 'http://127.0.0.1:1' });
  expect(checks.get('events')).toMatchObject({ is: 'wrong' });
  expect(checks.get('gateway')).toMatchObject({ is: 'wrong' });
  expect(checks.get('scheduler: postgresql')).toMatchObject({ is: 'ok' });
  expect(error).toMatch(/^5 things are wrong/);
});

test('a support bundle has no secret, and no text of users', async () => {
  const file = path.join(folder, 'support.tar.gz');
  expect(JSON.parse(await run(`support bundle --to ${file}`))).toMatchObject({ file });
  const out = await mkdtemp(path.join(folder, 'out-'));
  expect(spawnSync('tar', ['-xzf', file, '-C', out]).status).toBe(0);
  const read = (name: string) => readFile(path.join(out, name), 'utf8');
  expect(JSON.parse(await read('health.json')).services).toHaveLength(5);
  expect(JSON.parse(await read('realm/settings.json'))).toMatchObject({
    BOT_KEY_SECRET: '***',
    SMTP_URL: 'smtp://***@127.0.0.1:1',
    DATABASE_PREFIX: expect.any(String),
  });
  expect(JSON.parse(await read('messages/migrations.json')).length).toBeGreaterThan(3);
  expect(await read('events/metrics.txt')).toContain('parley_');
  expect(JSON.parse(await read('counts.json'))).toContainEqual(expect.objectContaining({ people: expect.any(Number) }));
  const hidden = [...Object.values(SECRETS).slice(0, 3), 'smtp-password', WRITTEN, eg.dan.email];
  const all = spawnSync('grep', ['-rlF', ...hidden.flatMap((text) => ['-e', text]), out], { encoding: 'utf8' });
  expect([all.status, all.stdout]).toEqual([1, '']);
  await expect(run(`support bundle --to ${file}`)).rejects.toThrow('there is a file');
});
