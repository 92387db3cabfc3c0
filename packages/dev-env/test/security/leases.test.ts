import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  deactivateUser,
  reactivateUser,
  regenerateApiKey,
  sendMessage,
  subscribe,
  unsubscribe,
} from '@parley/gateway/endpoints';
import { startNats } from '@parley/shared/embedded';
import { until } from '@parley/shared/testing';
import { eg, type TestClient, TestNetwork } from '../../src';
import { createHttpClient } from '../../src/network/http-client';
import { RestartableServer } from '../../src/network/restartable-server';
import { createTestClient } from '../../src/network/test-client';

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

test('whoever asks while rights come and go gets what was true at some moment of their request', async () => {
  await untilLeased();
  /** Since when it has been so for certain; undefined while it changes. */
  let truth: { answer: string; sinceMs: number } | undefined = { answer: '1 message', sinceMs: performance.now() };
  let isOver = false;
  let judged = 0;
  const wrong: string[] = [];
  const readAgainAndAgain = async (dan: TestClient) => {
    while (!isOver) {
      const [before, beganAtMs] = [truth, performance.now()];
      const answer = await ask(dan);
      // The truth did not begin to change before the answer was there.
      if (before === undefined || truth !== before || beganAtMs < before.sinceMs) continue;
      judged += 1;
      if (answer !== before.answer) wrong.push(`${answer} instead of ${before.answer}`);
    }
  };
  const readers = [...dans, ...dans, ...dans].map(readAgainAndAgain);
  for (let round = 0; round < 40; round += 1) {
    for (const [change, answer] of [
      [remove, '0 message'],
      [takeBack, '1 message'],
    ] as const) {
      truth = undefined;
      await change();
      truth = { answer, sinceMs: performance.now() };
      const enough = judged + 20;
      await until(async () => judged >= enough);
    }
  }
  isOver = true;
  await Promise.all(readers);
  expect(wrong).toEqual([]);
});

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
