import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  addOwnApiKey,
  changeSubgroups,
  createGroup,
  deactivateUser,
  findChannel,
  getApiKeys,
  listGroups,
  listSubscriptions,
  reactivateUser,
  regenerateApiKey,
  revokeApiKey,
  sendMessage,
  subscribe,
  unsubscribe,
  updateChannel,
  updateRealm,
  updateUser,
} from '@parley/gateway/endpoints';
import { startNats } from '@parley/shared/embedded';
import { until } from '@parley/shared/testing';
import { ROLES, UNKNOWN_USER_NAME } from '@parley/shared/values';
import { eg, type TestClient, TestNetwork } from '../../src';
import { createHttpClient } from '../../src/network/http-client';
import { RestartableServer } from '../../src/network/restartable-server';
import { type Account, createTestClient } from '../../src/network/test-client';

// Replicas of messages answer from leased facts, without realm. What changes counts from the next request on, through any of them.

const directory = mkdtempSync(path.join(tmpdir(), 'parley-leases-'));
const broker = new RestartableServer(startNats, directory);
let network: TestNetwork;
/** Dan, through each gateway. */
let dans: TestClient[];
const connections: ReturnType<typeof createHttpClient>[] = [];
let messageId: number;

beforeAll(async () => {
  await broker.start();
  network = await TestNetwork.create({
    natsUrl: broker.url,
    processes: ['messages'],
    replicas: { gateway: 2, realm: 2, messages: 2 },
  });
  for (const address of network.gatewayAddresses) connections.push(createHttpClient(address));
  dans = connections.map((http) => createTestClient(network.dan, 'parley.test', http));
  const { iris } = network;
  const message = { type: 'channel', to: eg.leads.name, topic: 'plans', content: 'Secret' } as const;
  ({ id: messageId } = await iris.call(sendMessage, message));
}, 60_000);
afterAll(async () => {
  for (const http of connections) http.close();
  await network?.stop();
  await broker.stop();
  rmSync(directory, { recursive: true, force: true });
});

/** Whether Dan reads the message, through one gateway. */
async function ask(dan: TestClient): Promise<string> {
  const { status, json } = await dan.callRaw({ method: 'GET', path: `/api/v1/messages?message_ids=[${messageId}]` });
  return status === 200 ? `${(json['messages'] as unknown[]).length} message` : String(json['code']);
}

/** The different answers, asked several times at once through each gateway: of each replica. */
async function answers(): Promise<string[]> {
  return [...new Set(await Promise.all([...dans, ...dans, ...dans, ...dans].map(ask)))];
}

const realmStatements = () =>
  network.replicas.realm.reduce((sum, { service }) => sum + (service?.db?.statementCount ?? 0), 0);

/** Until all replicas have leased Dan's facts: then realm has nothing to do with his reading. */
async function untilLeased(): Promise<void> {
  await until(async () => {
    const before = realmStatements();
    for (let round = 0; round < 4; round += 1) await answers();
    return realmStatements() === before;
  });
  expect(await answers()).toEqual(['1 message']);
}

const remove = () =>
  network.iris.call(unsubscribe, { subscriptions: [eg.leads.name], principals: [network.dan.userId] });
const takeBack = async () => {
  const principals = [network.dan.userId];
  await network.iris.call(subscribe, { subscriptions: [{ name: eg.leads.name }], principals });
};

test('messages are read without realm', untilLeased);

test('who is removed from a private channel reads nothing there from the next request on', async () => {
  await untilLeased();
  await remove();
  expect(await answers()).toEqual(['0 message']);
  await takeBack();
  expect(await answers()).toEqual(['1 message']);
});

test('a deactivated account reads nothing from the next request on', async () => {
  await untilLeased();
  await network.iris.call(deactivateUser, { user_id: network.dan.userId });
  expect(await answers()).toEqual(['USER_DEACTIVATED']);
  await network.iris.call(reactivateUser, { user_id: network.dan.userId });
  expect(await answers()).toEqual(['1 message']);
});

/** Something that changes and is undone, and what somebody reads then: `usual` before and after it. */
interface Change {
  usual: string;
  changed: string;
  change(): Promise<unknown>;
  undo(): Promise<unknown>;
  /** Through one of the gateways. */
  read(gateway: number): Promise<string>;
}

/** Reads all the time while something comes and goes. Returns the answers that were true at no moment of their request. */
async function wrongAnswers({ usual, changed, change, undo, read }: Change): Promise<string[]> {
  /** Since when it has been so for certain; undefined while it changes. */
  let truth: { answer: string; sinceMs: number } | undefined = { answer: usual, sinceMs: performance.now() };
  let isOver = false;
  let judged = 0;
  const wrong: string[] = [];
  const readAgainAndAgain = async (gateway: number) => {
    while (!isOver) {
      const [before, beganAtMs] = [truth, performance.now()];
      const answer = await read(gateway);
      // The truth did not begin to change before the answer was there.
      if (before === undefined || truth !== before || beganAtMs < before.sinceMs) continue;
      judged += 1;
      if (answer !== before.answer) wrong.push(`${answer} instead of ${before.answer}`);
    }
  };
  const readers = [0, 1, 0, 1, 0, 1].map(readAgainAndAgain);
  for (let round = 0; round < 8; round += 1) {
    for (const [step, answer] of [
      [change, changed],
      [undo, usual],
    ] as const) {
      truth = undefined;
      await step();
      truth = { answer, sinceMs: performance.now() };
      const enough = judged + 20;
      await until(async () => judged >= enough);
    }
  }
  isOver = true;
  await Promise.all(readers);
  return wrong;
}

const secretIn = (channel: string, sender = network.iris) =>
  sender.call(sendMessage, { type: 'channel', to: channel, topic: 'plans', content: 'Secret' });

type Shown = (message?: Record<string, unknown>) => string;

const whether: Shown = (message) => (message ? 'message' : 'nothing');

/** Reads a message by an account: something of it, or the code of the error. */
const reading = (account: () => Account, id: number, shown: Shown) => async (gateway: number) => {
  const client = createTestClient(account(), 'parley.test', connections[gateway] as (typeof connections)[number]);
  const { status, json } = await client.callRaw({ method: 'GET', path: `/api/v1/messages?message_ids=[${id}]` });
  return status === 200 ? shown((json['messages'] as Record<string, unknown>[])[0]) : String(json['code']);
};

/** Eve reads it without a subscription, as everybody but guests. */
async function makeOpenChannel() {
  const { iris, eve } = network;
  await iris.call(subscribe, { subscriptions: [{ name: 'open' }] });
  const { stream_id: id } = await iris.call(findChannel, { stream: 'open' });
  const read = reading(() => eve, (await secretIn('open')).id, whether);
  return { id, facts: { usual: 'message', changed: 'nothing', read } };
}

const CHANGES: [string, () => Promise<Change>][] = [
  [
    'a subscription',
    async () => {
      const read = reading(() => network.dan, messageId, whether);
      return { usual: 'message', changed: 'nothing', change: remove, undo: takeBack, read };
    },
  ],
  [
    'a role',
    async () => {
      const { facts } = await makeOpenChannel();
      const give = (role: number) => network.iris.call(updateUser, { user_id: network.eve.userId, role });
      return { ...facts, change: () => give(ROLES.guest), undo: () => give(ROLES.member) };
    },
  ],
  [
    'the privacy of a channel',
    async () => {
      const { id, facts } = await makeOpenChannel();
      const set = (isPrivate: boolean) => network.iris.call(updateChannel, { stream_id: id, is_private: isPrivate });
      return { ...facts, change: () => set(true), undo: () => set(false) };
    },
  ],
  [
    'a group within the group that may read a channel',
    async () => {
      const { iris, eve } = network;
      const { group_id: inner } = await iris.call(createGroup, { name: 'in', description: '', members: [eve.userId] });
      const around = { name: 'around', description: '', members: [], subgroups: [inner] };
      const { group_id: outer } = await iris.call(createGroup, around);
      const rules = { invite_only: true, history_public_to_subscribers: true, can_subscribe_group: outer };
      await iris.call(subscribe, { subscriptions: [{ name: 'club' }], ...rules });
      const move = (moved: object) => iris.call(changeSubgroups, { user_group_id: outer, ...moved });
      const [change, undo] = [() => move({ delete: [inner] }), () => move({ add: [inner] })];
      const read = reading(() => eve, (await secretIn('club')).id, whether);
      return { usual: 'message', changed: 'nothing', change, undo, read };
    },
  ],
  [
    'whom guests see',
    async () => {
      const { iris, eve, faye } = network;
      const principals = [iris.userId, eve.userId, faye.userId];
      await iris.call(subscribe, { subscriptions: [{ name: 'left' }], principals });
      const { id } = await secretIn('left', eve);
      const { subscriptions } = await eve.call(listSubscriptions, {});
      await eve.call(unsubscribe, { subscriptions: subscriptions.map(({ name }) => name) });
      const { user_groups: groups } = await iris.call(listGroups, {});
      const show = (name: string) => {
        const group = groups.find((each) => each.name === name)?.id as number;
        return iris.call(updateRealm, { can_access_all_users_group: { new: group } });
      };
      const [change, undo] = [() => show('role:members'), () => show('role:everyone')];
      const read = reading(
        () => faye,
        id,
        (message) => String(message?.['sender_full_name']),
      );
      return { usual: eg.eve.fullName, changed: UNKNOWN_USER_NAME, change, undo, read };
    },
  ],
  [
    'a key',
    async () => {
      const { dan } = network;
      let account: Account = dan;
      const make = async () => {
        const { api_key: apiKey } = await dan.call(addOwnApiKey, { label: 'one more' });
        account = { ...dan, apiKey };
      };
      const revoke = async () => {
        const { api_keys: keys } = await dan.call(getApiKeys, {});
        await dan.call(revokeApiKey, { key_id: keys.at(-1)?.id as number });
      };
      await make();
      const read = reading(() => account, messageId, whether);
      return { usual: 'message', changed: 'UNAUTHORIZED', change: revoke, undo: make, read };
    },
  ],
];

test.each(CHANGES)(
  'whoever asks while %s comes and goes gets what was true at some moment of their request',
  async (_what, make) => {
    expect(await wrongAnswers(await make())).toEqual([]);
  },
);

test('a replica that stands still is waited for, and has forgotten its leases when it goes on', async () => {
  await untilLeased();
  const [still] = network.replicas.messages;
  still?.signal('SIGSTOP');
  const begin = performance.now();
  await remove();
  const waitedMs = performance.now() - begin;
  const asked = answers();
  still?.signal('SIGCONT');
  expect(await asked).toEqual(['0 message']);
  expect(await answers()).toEqual(['0 message']);
  // Of its two seconds it may have used some.
  expect(waitedMs).toBeLessThan(4_000);
  await takeBack();
});

test('a dead replica delays changes for a moment only', async () => {
  await untilLeased();
  const [first] = network.replicas.messages;
  await first?.kill();
  await remove();
  const begin = performance.now();
  await takeBack();
  expect(performance.now() - begin).toBeLessThan(1_000);
  await first?.start();
  await untilLeased();
});

test('without a broker rights come and go all the same', async () => {
  await untilLeased();
  await broker.stop();
  await remove();
  expect(await answers()).toEqual(['0 message']);
  await takeBack();
  expect(await answers()).toEqual(['1 message']);
  await broker.start();
  await untilLeased();
});

test('a revoked key reads nothing from the next request on', async () => {
  await untilLeased();
  const { api_key: apiKey } = await network.dan.call(regenerateApiKey, {});
  expect(apiKey).not.toBe(network.dan.apiKey);
  expect(await answers()).toEqual(['UNAUTHORIZED']);
});
