import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { lastFull } from '@parley/shared/db';
import { startNats } from '@parley/shared/embedded';
import { until } from '@parley/shared/testing';
import { TestNetwork } from '../../src';
import { RestartableServer } from '../../src/network/restartable-server';

const NAMES = ['postgresql', 'nats', 'disk', 'realm', 'messages', 'invites', 'scheduler', 'events'];

const directory = mkdtempSync(path.join(tmpdir(), 'parley-dependencies-'));
const broker = new RestartableServer(startNats, directory);
let network: TestNetwork;

beforeAll(async () => {
  await broker.start();
  network = await TestNetwork.create({ natsUrl: broker.url, replicas: { gateway: 2 } });
  // A result from the time of the start is cached for a second.
  await untilAllAreOk();
  await until(async () => (await readiness()).every((status) => status === 200));
}, 60_000);
afterAll(async () => {
  await network?.stop();
  await broker.stop();
  rmSync(directory, { recursive: true, force: true });
});

interface DependenciesAnswer {
  ok: boolean;
  dependencies: Record<string, { status: string; since: string; reason?: string }>;
}

async function ask(): Promise<DependenciesAnswer> {
  return (await (await fetch(`http://${network.address}/health/dependencies`)).json()) as DependenciesAnswer;
}

async function untilStatus(
  name: string,
  status: string,
): Promise<DependenciesAnswer['dependencies'][string] | undefined> {
  let dependency: DependenciesAnswer['dependencies'][string] | undefined;
  await until(async () => {
    dependency = (await ask()).dependencies[name];
    return dependency?.status === status;
  });
  return dependency;
}

/** What depends on one that is back may follow a moment later. */
const untilAllAreOk = () => until(async () => (await ask()).ok);

const readiness = () =>
  Promise.all(network.gatewayAddresses.map(async (each) => (await fetch(`http://${each}/health/ready`)).status));

test('the dependencies are public, without addresses', async () => {
  const answer = await ask();
  expect(answer.ok).toBe(true);
  expect(Object.keys(answer.dependencies).sort()).toEqual([...NAMES].sort());
  expect(JSON.stringify(answer)).not.toMatch(/127\.0\.0\.1|:\d{4,5}"/);
});

test('a service unreachable for all is reported, keeps every gateway ready, and is answered with 503 and Retry-After', async () => {
  expect(await readiness()).toEqual([200, 200]);
  const [scheduler] = network.replicas.scheduler;
  const [messages] = network.replicas.messages;
  await Promise.all([scheduler?.stop(), messages?.stop()]);
  expect(await untilStatus('messages', 'away')).toMatchObject({ reason: 'nothing answers at its address' });
  // For a second the other gateway may still believe that it reaches the service.
  await until(async () => (await readiness()).every((status) => status === 200));
  const { status, headers, json } = await network.dan.callRaw({ method: 'GET', path: '/api/v1/scheduled_messages' });
  expect({ status, json }).toMatchObject({ status: 503, json: { result: 'error', code: 'SERVER_NOT_READY' } });
  expect(headers['retry-after']).toBe('2');
  await Promise.all([messages?.start(), scheduler?.start()]);
  await untilStatus('messages', 'ok');
}, 60_000);

test('an unreachable broker is reported by the services that need it, and keeps every gateway ready', async () => {
  await broker.stop();
  expect((await untilStatus('nats', 'away'))?.reason).toMatch(/^NATS does not answer realm, messages/);
  expect(await readiness()).toEqual([200, 200]);
  await broker.start();
  await untilAllAreOk();
}, 60_000);

test('a full disk of PostgreSQL is reported, answered with 503 and Retry-After, keeps every gateway ready, and ends once there is room', async () => {
  const database = network.database('messages');
  const post = { type: 'channel', to: 'general', topic: 'room', content: 'Is there any?' };
  const send = () => network.dan.callRaw({ method: 'POST', path: '/api/v1/messages', form: post });
  await database.query(`create function refuse() returns trigger language plpgsql as
    $$ begin raise exception 'could not extend file "base/5/16"' using errcode = 'disk_full'; end $$`);
  await database.query('create trigger full_disk before insert on message execute function refuse()');
  const refused = await send();
  expect([refused.status, refused.json['code'], refused.headers['retry-after']]).toEqual([
    503,
    'SERVER_NOT_READY',
    '2',
  ]);
  expect((await untilStatus('postgresql', 'full'))?.reason).toContain('messages');
  expect(await readiness()).toEqual([200, 200]);
  await database.query('drop trigger full_disk on message');
  expect((await send()).status).toBe(200);
  expect(await readiness()).toEqual([200, 200]);
  // Half a minute later: the services run in this process.
  lastFull.postgresMs -= 30_000;
  await untilAllAreOk();
}, 60_000);
