import { getMessages, sendMessage, subscribe } from '@parley/gateway/endpoints';
import { type MetricsServer, serveMetrics } from '@parley/shared/observability';
import { createFakeClock, until } from '@parley/shared/testing';
import { TestNetwork } from '../../src';

const WINDOW = { anchor: 'newest', num_before: 100 };

let network: TestNetwork;
let metrics: MetricsServer;
let channel: { operator: string; operand: number };
beforeAll(async () => {
  metrics = await serveMetrics('127.0.0.1:0');
  // The clock stands still: the services' periodic tasks do not count.
  network = await TestNetwork.create({ clock: createFakeClock(), replicas: { messages: 1 } });
  const { dan, eve } = network;
  await dan.call(subscribe, { subscriptions: [{ name: 'read' }], principals: [dan.userId, eve.userId] });
  const { id } = await dan.call(sendMessage, { type: 'channel', to: 'read', topic: 'x', content: 'Hello' });
  const sent = { type: 'channel', to: 'read', topic: 'y', content: 'Hello' } as const;
  for (let count = 0; count < 3; count += 1) await dan.call(sendMessage, sent);
  await dan.call(sendMessage, { type: 'direct', to: [eve.userId], content: 'Hello' });
  const { messages } = await eve.call(getMessages, { anchor: String(id), num_before: 0, num_after: 0 });
  channel = { operator: 'channel', operand: messages[0]?.stream_id as number };
  // The accounts are known from then on.
  await eve.call(getMessages, { ...WINDOW, narrow: [] });
});
afterAll(async () => {
  await network.stop();
  await metrics.stop();
});

type Narrow = { operator: string; operand: string | number | number[] }[];

/** Statements, and calls between services, of one page. */
async function costOf(
  narrow: Narrow,
  around: object,
  { eve, settle, statementCount } = network,
): Promise<{ statements: number; calls: string[] }> {
  await settle();
  // NOTE: metrics are read before the statements are counted, and after: reading them asks the databases.
  const calls = await countCalls();
  const before = statementCount();
  const found = await eve.call(getMessages, { ...around, narrow } as never);
  expect(found.messages.length).toBeGreaterThan(0);
  const statements = statementCount() - before;
  const after = await countCalls();
  const made = [...after].filter(([method, count]) => count > (calls.get(method) ?? 0)).map(([method]) => method);
  return { statements, calls: made.sort() };
}

const COUNT = /^parley_rpc_client_seconds_count\{[^}]*method="([^"]+)"[^}]*\} (\d+)$/gm;

/** By method, however they ended. */
async function countCalls(): Promise<Map<string, number>> {
  const text = await (await fetch(`http://${metrics.address}/metrics`)).text();
  const counts = new Map<string, number>();
  for (const [, method = '', count] of text.matchAll(COUNT)) {
    counts.set(method, (counts.get(method) ?? 0) + Number(count));
  }
  return counts;
}

// The gateway asks messages, and messages asks realm, which confirms the credential by the same statement.
const CALLS = ['messages.GetMessages', 'realm.GetReadFacts'];

test.each<[string, number, () => Narrow, object]>([
  ['all messages', 3, () => [], WINDOW],
  ['a channel', 2, () => [channel], WINDOW],
  ['a topic', 3, () => [channel, { operator: 'topic', operand: 'x' }], WINDOW],
  ['a direct conversation', 2, () => [{ operator: 'dm', operand: [network.dan.userId] }], WINDOW],
  ['all around the first unread message', 4, () => [], { anchor: 'first_unread', num_before: 50, num_after: 50 }],
])('a page of %s costs at most %i SQL statements and two calls', async (_what, statements, narrow, around) => {
  await costOf(narrow(), around);
  const cost = await costOf(narrow(), around);
  expect(cost.calls).toEqual(CALLS);
  expect(cost.statements).toBeLessThanOrEqual(statements);
});

test('a page costs one call of messages while the reader’s facts are leased', async () => {
  // Leases are renewed by a clock that goes on.
  const leasing = await TestNetwork.create();
  try {
    await leasing.dan.call(sendMessage, { type: 'direct', to: [leasing.eve.userId], content: 'Hello' });
    await until(async () => {
      const { calls, statements } = await costOf([], WINDOW, leasing);
      return calls.join() === 'messages.GetMessages' && statements <= 2;
    });
  } finally {
    await leasing.stop();
  }
});
