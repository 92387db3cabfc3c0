import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  addReaction,
  createChannel,
  createScheduledMessage,
  editMessage,
  getMessage,
  markTopicAsRead,
  sendInvitations,
  sendMessage,
  subscribe,
  updateFlags,
  updateOwnStatus,
} from '@parley/gateway/endpoints';
import { eg, type TestClient, TestNetwork } from '../../src';
import { createHttpClient } from '../../src/network/http-client';
import { EXTERNAL_HOST } from '../../src/network/plan';
import type { ServiceName } from '../../src/network/replica';
import { createTestClient } from '../../src/network/test-client';
import { CHECKOUT } from '../../src/start/main-of';
import { brokenInTraffic } from '../../src/traffic/promises';
import { Traffic } from '../../src/traffic/traffic';
import { buildVersion } from './build-version';
import { Complaints } from './complaints';
import { previousVersion } from './previous-version';
import { UPGRADE_ORDER } from './upgrade-order';

const FOLLOWERS = 6;
const LIMIT_MS = 240_000;
const DAY_SECS = 86_400;

const complaints = new Complaints();
/** The version of each replica, by its name. */
const versions = new Map<string, string>();
const previous = mkdtempSync(path.join(tmpdir(), 'parley-previous-'));
let checkout = previous;
let network: TestNetwork;
let traffic: Traffic;

beforeAll(async () => {
  await buildVersion(previousVersion(), previous);
  network = await TestNetwork.create({
    checkout: () => checkout,
    onLine: (replica, line) => complaints.hear(described(replica), line),
    processes: UPGRADE_ORDER,
    replicas: Object.fromEntries(UPGRADE_ORDER.map((name) => [name, 2])),
  });
  traffic = new Traffic(network.gatewayAddresses, [network.dan, network.eve], FOLLOWERS);
  await traffic.start();
}, LIMIT_MS);

afterAll(async () => {
  await traffic?.stop();
  await network?.stop();
  rmSync(previous, { recursive: true, force: true });
});

function described({ name, index }: { name: ServiceName; index: number }): string {
  return `${name} ${index + 1} of ${versions.get(`${name} ${index}`) ?? 'the previous version'}`;
}

/** Replaces a replica by one of that checkout, while the others continue. */
async function replace(name: ServiceName, index: 0 | 1, by: string): Promise<void> {
  checkout = by;
  await network.replicas[name][index]?.stop();
  versions.set(`${name} ${index}`, by === CHECKOUT ? 'this version' : 'the previous version');
  await network.replicas[name][index]?.start();
  await traffic.untilFlowing();
}

/** Replaces both replicas of a service, and runs all requests while the two have different versions. */
async function roll(name: ServiceName, by: string, mark: string): Promise<void> {
  await complaints.explain(async () => {
    await replace(name, 0, by);
    await workThroughBoth(`${mark}-${name}`);
    await replace(name, 1, by);
  });
}

/** Some of every service's work, sent through one gateway and received at another. */
async function work(through: string, others: string, mark: string): Promise<void> {
  const [http, otherHttp] = [createHttpClient(through), createHttpClient(others)];
  const at = (person: TestClient, client = http) =>
    createTestClient(person, [eg.home.subdomain, EXTERNAL_HOST].filter(Boolean).join('.'), client);
  try {
    const [dan, iris, eve] = [at(network.dan), at(network.iris), at(network.eve, otherHttp)];
    const eves = await eve.events({ event_types: ['message', 'update_message', 'reaction', 'stream', 'user_status'] });
    await useChannel(dan, eve, mark, eves);
    await iris.call(sendInvitations, { invitee_emails: `${mark}@example.org`, stream_ids: [] });
    await dan.call(updateOwnStatus, { status_text: mark } as never);
    expect(await eves.next('user_status')).toMatchObject({ user_id: dan.userId, status_text: mark });
  } finally {
    http.close();
    otherHttp.close();
  }
}

async function useChannel(
  dan: TestClient,
  eve: TestClient,
  mark: string,
  eves: Awaited<ReturnType<TestClient['events']>>,
) {
  const made = await dan.call(createChannel, { name: mark, subscribers: [dan.userId] } as never);
  await eve.call(subscribe, { subscriptions: [{ name: mark }] });
  const address = { type: 'channel', to: mark, topic: 'upgrade' } as const;
  const { id } = await dan.call(sendMessage, { ...address, content: 'one' });
  await dan.call(editMessage, { message_id: id, content: 'two' } as never);
  await eve.call(addReaction, { message_id: id, emoji_name: 'tada' } as never);
  await eve.call(updateFlags, { messages: [id], op: 'add', flag: 'starred' } as never);
  await eve.call(markTopicAsRead, { stream_id: made.id, topic_name: 'upgrade' } as never);
  const later = Math.floor(Date.now() / 1000) + DAY_SECS;
  await dan.call(createScheduledMessage, {
    ...address,
    to: made.id,
    content: 'later',
    scheduled_delivery_timestamp: later,
  } as never);
  const { message } = await eve.call(getMessage, { message_id: id, apply_markdown: false } as never);
  expect(message).toMatchObject({ content: 'two', reactions: [{ emoji_name: 'tada' }] });
  expect((message as { flags: string[] }).flags.sort()).toEqual(['read', 'starred']);
  expect(await eves.next('update_message')).toMatchObject({ message_id: id, content: 'two' });
  expect(await eves.next('reaction')).toMatchObject({ message_id: id, op: 'add' });
}

async function workThroughBoth(mark: string): Promise<void> {
  const [first, second] = network.gatewayAddresses as [string, string];
  await work(first, second, `${mark}-first`);
  await work(second, first, `${mark}-second`);
}

describe('while the services are replaced by those of this version, on databases and a broker that the previous one has begun', () => {
  test('the previous version works', () => complaints.explain(() => workThroughBoth('before')), LIMIT_MS);

  test.each(UPGRADE_ORDER)('all goes on while %s is replaced', (name) => roll(name, CHECKOUT, 'up'), LIMIT_MS);

  test.each([...UPGRADE_ORDER].reverse())(
    'and while %s is taken back, on what this version has left',
    (name) => roll(name, previous, 'back'),
    LIMIT_MS,
  );

  test(
    'and is made once more, on what both versions have left',
    () =>
      complaints.explain(async () => {
        for (const name of UPGRADE_ORDER) for (const index of [0, 1] as const) await replace(name, index, CHECKOUT);
        await workThroughBoth('after');
      }),
    LIMIT_MS,
  );

  test('no client registered again, and no event was lost, repeated or out of order', async () => {
    await complaints.explain(() => traffic.end());
    expect(brokenInTraffic(traffic)).toEqual([]);
    expect(traffic.latest()).toEqual(traffic.accepted());
    expect(traffic.followers.map(({ queues }) => queues.length)).toEqual(Array(FOLLOWERS).fill(1));
  });
});
