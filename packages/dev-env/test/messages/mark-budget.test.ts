import {
  addReaction,
  editMessage,
  removeReaction,
  sendMessage,
  subscribe,
  updateFlags,
  updateFlagsInNarrow,
} from '@parley/gateway/endpoints';
import { type MetricsServer, serveMetrics } from '@parley/shared/observability';
import { createFakeClock } from '@parley/shared/testing';
import { TestNetwork } from '../../src';
import { callCount } from './call-count';

const MESSAGES = 30;
const SMILE = { emoji_name: 'smile' };

let network: TestNetwork;
let metrics: MetricsServer;
let ids: number[];

beforeAll(async () => {
  // The clock stands still: the services' periodic tasks do not count.
  network = await TestNetwork.create({ clock: createFakeClock() });
  metrics = await serveMetrics('127.0.0.1:0');
  const { dan, eve } = network;
  await dan.call(subscribe, { subscriptions: [{ name: 'marks' }], principals: [dan.userId, eve.userId] });
  const message = { type: 'channel', to: 'marks', topic: 'lunch', content: 'Hello' } as const;
  ids = [];
  for (let count = 0; count < MESSAGES; count += 1) ids.push((await dan.call(sendMessage, message)).id);
});
afterAll(async () => {
  await metrics.stop();
  await network.stop();
});

/** Per request, in all services together, without the relays' statements. */
async function costOf(request: () => Promise<unknown>): Promise<{ calls: number; statements: number }> {
  // Consequences of earlier requests make calls, too.
  await network.settle();
  // Before the statements are counted: metrics are asked of the database, too.
  const callsBefore = await callCount(metrics);
  const before = network.statementCount();
  await request();
  const statements = network.statementCount() - before;
  return { calls: (await callCount(metrics)) - callsBefore, statements };
}

const flag = (op: string, name: string) => () => network.eve.call(updateFlags, { messages: ids, op, flag: name });
const inTopic = [
  { operator: 'channel', operand: 'marks' },
  { operator: 'topic', operand: 'lunch' },
];
const markTopic = { anchor: 'oldest', num_before: 0, num_after: 5_000, narrow: inTopic, flag: 'read' };

test('marks cost one call of realm, and one statement each for the messages, the facts with the credential, and the store', async () => {
  const { eve } = network;
  const message_id = ids[0] as number;
  await flag('add', 'read')();
  const requests = {
    unread: flag('remove', 'read'),
    read: flag('add', 'read'),
    star: flag('add', 'starred'),
    unstar: flag('remove', 'starred'),
    react: () => eve.call(addReaction, { message_id, ...SMILE }),
    'take back': () => eve.call(removeReaction, { message_id, ...SMILE }),
  };
  const costs: Record<string, unknown> = {};
  for (const [name, request] of Object.entries(requests)) costs[name] = await costOf(request);
  expect(costs).toEqual(Object.fromEntries(Object.keys(requests).map((name) => [name, { calls: 2, statements: 3 }])));
});

test('an edit of content costs as much: realm’s one statement has the names in its rendering, too', async () => {
  const { dan } = network;
  const edit = () => dan.call(editMessage, { message_id: ids[0] as number, content: `Hello @**Eve Castillo**` });
  expect(await costOf(edit)).toEqual({ calls: 2, statements: 3 });
});

test('marking a topic as read costs as much for many messages as for few', async () => {
  const { eve } = network;
  const costs = [];
  for (const messages of [ids.slice(0, 1), ids]) {
    await eve.call(updateFlags, { messages, op: 'remove', flag: 'read' });
    costs.push(await costOf(() => eve.call(updateFlagsInNarrow, { ...markTopic, op: 'add' })));
  }
  expect(costs[0]).toEqual(costs[1]);
  expect(costs[0]?.statements).toBeLessThanOrEqual(11);
});
