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
import { eg, type TestClient, TestNetwork } from '../src';
import { expectOneOrder, expectWhole, Traffic } from '../src/chaos/traffic';
import { createHttpClient } from '../src/network/http-client';
import { EXTERNAL_HOST } from '../src/network/plan';
import type { ServiceName } from '../src/network/replica';
import { createTestClient } from '../src/network/test-client';
import { CHECKOUT } from '../src/start/main-of';
import { buildVersion } from './upgrade/build-version';
import { previousVersion } from './upgrade/previous-version';

const SERVICES: readonly ServiceName[] = ['realm', 'messages', 'invites', 'scheduler', 'events', 'gateway'];
const FOLLOWERS = 6;
const LIMIT_MS = 240_000;
const DAY_SECS = 86_400;

const previous = mkdtempSync(path.join(tmpdir(), 'parley-previous-'));
let checkout = previous;
let network: TestNetwork;
let traffic: Traffic;

beforeAll(async () => {
  await buildVersion(previousVersion(), previous);
  network = await TestNetwork.create({
    checkout: () => checkout,
    processes: SERVICES,
    replicas: Object.fromEntries(SERVICES.map((name) => [name, 2])),
  });
  traffic = new Traffic(network.gatewayAddresses, [network.dan, network.eve], FOLLOWERS);
  await traffic.start();
}, LIMIT_MS);

afterAll(async () => {
  await traffic?.stop();
  await network?.stop();
  rmSync(previous, { recursive: true, force: true });
});

/** Replaces a replica of each service by one of that checkout, all at once, while the others go on. */
async function replace(index: 0 | 1, by: string): Promise<void> {
  checkout = by;
  const replacing = SERVICES.map(async (name) => {
    await network.replicas[name][index]?.stop();
    await network.replicas[name][index]?.start();
  });
  await Promise.all(replacing);
  await traffic.untilFlowing();
}

/** A bit of every service's work, asked of one gateway by its own clients and told to somebody at another. */
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
  test('the previous version works', () => workThroughBoth('before'), LIMIT_MS);

  test(
    'one replica of each service is of this version, the other of the previous one',
    async () => {
      await replace(0, CHECKOUT);
      await workThroughBoth('half');
    },
    LIMIT_MS,
  );

  test(
    'the upgrade is taken back: the previous version works on what this one has left',
    async () => {
      await replace(0, previous);
      await workThroughBoth('back');
    },
    LIMIT_MS,
  );

  test(
    'and made once more, of all replicas',
    async () => {
      await replace(0, CHECKOUT);
      await replace(1, CHECKOUT);
      await workThroughBoth('after');
    },
    LIMIT_MS,
  );

  test('nobody had to register anew, and nothing was lost, repeated or out of order', async () => {
    await traffic.end();
    for (const { stretches } of traffic.followers) expectWhole(traffic, stretches);
    expect(traffic.followers.map(({ stretches }) => stretches.length)).toEqual(Array(FOLLOWERS).fill(1));
    expectOneOrder(traffic.followers.map(({ stretches }) => stretches[0]?.order ?? []));
  });
});
