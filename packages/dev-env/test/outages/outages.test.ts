import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { changeGroupMembers, createGroup } from '@parley/gateway/endpoints';
import { connectBus } from '@parley/shared/bus';
import { startNats } from '@parley/shared/embedded';
import { silentLogger } from '@parley/shared/service';
import { until } from '@parley/shared/testing';
import { TestNetwork } from '../../src';
import { SERVICES } from '../../src/network/plan';
import { RestartableServer } from '../../src/network/restartable-server';
import { brokenInTraffic } from '../../src/traffic/promises';
import { Traffic } from '../../src/traffic/traffic';
import { describeStandstill } from './describe-standstill';

const REPLICAS = { events: 3, gateway: 2, realm: 2, messages: 2, invites: 2, scheduler: 2 };
const FOLLOWERS = 12;
const LIMIT_MS = 180_000;
/** A participant without any event for this time will not recover by itself. */
const STANDSTILL_MS = 120_000;

const directory = mkdtempSync(path.join(tmpdir(), 'parley-outages-'));
const broker = new RestartableServer(startNats, directory);
let network: TestNetwork;
let traffic: Traffic;
const figures: string[] = [];

beforeAll(async () => {
  await broker.start();
  network = await TestNetwork.create({ natsUrl: broker.url, processes: SERVICES, replicas: REPLICAS });
  traffic = new Traffic(network.gatewayAddresses, [network.dan, network.eve, network.iris], FOLLOWERS);
  await traffic.start();
}, LIMIT_MS);

afterAll(async () => {
  await traffic?.stop();
  await network?.stop();
  await broker.stop();
  rmSync(directory, { recursive: true, force: true });
  process.stdout.write(`recovery, from the fault to a new message of everybody at everybody:\n${figures.join('\n')}\n`);
});

async function recover(fault: string): Promise<void> {
  await note(fault, await traffic.roundMs(STANDSTILL_MS));
}

async function note(fault: string, ms: number): Promise<void> {
  if (ms >= STANDSTILL_MS) throw new Error(await describeStandstill(network, traffic, broker.url));
  figures.push(`  ${fault.padEnd(24)} ${(ms / 1000).toFixed(2)} s`);
}

/** One replica of each service at a time. */
async function replaceAll(): Promise<void> {
  const replacing = SERVICES.map(async (name) => {
    for (const replica of network.replicas[name]) {
      await replica.stop();
      await replica.start();
    }
  });
  await Promise.all(replacing);
}

const groups: string[] = [];

/** Something of which another service makes a message, exactly one. */
async function announceNotice(): Promise<void> {
  const { iris, dan } = network;
  const name = `group${groups.length}`;
  groups.push(name);
  const { group_id: groupId } = await iris.call(createGroup, { name, description: '', members: [] });
  await iris.call(changeGroupMembers, { user_group_id: groupId, add: [dan.userId] });
}

/** How many messages the changes of each group have led to, once there is one of the last. */
async function countNotices(): Promise<number[]> {
  const count = async (name: string) => {
    const rows = await network
      .database('messages')
      .query(`select 1 from message where content like $1`, [`%added you to the group @\\_*${name}*%`]);
    return rows.length;
  };
  await until(async () => (await count(groups.at(-1) as string)) > 0);
  return Promise.all(groups.map(count));
}

async function deleteLog(): Promise<void> {
  const bus = await connectBus({ url: broker.url, prefix: '', name: 'test', log: silentLogger });
  for await (const { config } of bus.jsm.streams.list()) {
    if (config.name.endsWith('EVENTS')) await bus.jsm.streams.delete(config.name);
  }
  await bus.close();
}

describe('under steady load nothing is lost, repeated or out of order', () => {
  test.each(SERVICES)(
    'when a process of %s is killed, and started again',
    async (name) => {
      const [replica] = network.replicas[name];
      await announceNotice();
      await replica?.kill();
      await recover(`${name} killed`);
      await replica?.start();
      await traffic.untilFlowing();
    },
    LIMIT_MS,
  );

  test(
    'when all processes are replaced, one of each service at a time',
    async () => {
      await announceNotice();
      const replacing = replaceAll();
      // A process started after the clean-up would stay.
      const longest = traffic.longestRoundMs(replacing, STANDSTILL_MS).finally(() => Promise.allSettled([replacing]));
      await note('replacing, longest', await longest);
    },
    LIMIT_MS,
  );

  test(
    'when all pods of events are killed at once',
    async () => {
      await announceNotice();
      await Promise.all(network.replicas.events.map((pod) => pod.kill()));
      await traffic.untilAccepted(10);
      await Promise.all(network.replicas.events.map((pod) => pod.start()));
      await recover('all pods killed');
    },
    LIMIT_MS,
  );

  test.each([
    ['stopped', () => broker.stop()],
    ['killed', () => broker.kill()],
  ])(
    'when the broker is %s, and started again',
    async (how, takeAway) => {
      await announceNotice();
      await takeAway();
      await traffic.untilAccepted(10);
      await broker.start();
      await recover(`broker ${how}`);
    },
    LIMIT_MS,
  );

  test('no client had to register again', () => {
    expect(traffic.followers.map(({ queues }) => queues.length)).toEqual(Array(FOLLOWERS).fill(1));
  });

  test(
    'when the log is deleted: all queues are refused, what services act on is done once',
    async () => {
      await announceNotice();
      await deleteLog();
      await recover('log deleted');
      // A pod that has not noticed yet refuses a new queue once more.
      for (const { queues } of traffic.followers) expect(queues.length).toBeGreaterThan(1);
    },
    LIMIT_MS,
  );

  test(
    'as all that everybody got says in the end',
    async () => {
      await announceNotice();
      await traffic.end();
      expect(brokenInTraffic(traffic)).toEqual([]);
      expect(traffic.latest()).toEqual(traffic.accepted());
      expect(await countNotices()).toEqual(groups.map(() => 1));
    },
    LIMIT_MS,
  );
});
