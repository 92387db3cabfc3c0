import { sendMessage, subscribe, unsubscribe } from '@parley/gateway/endpoints';
import { type MetricsServer, serveMetrics } from '@parley/shared/observability';
import { createFakeClock } from '@parley/shared/testing';
import { TestNetwork } from '../../src';
import { callCount } from './call-count';

/** As many as fit into one record of the log. */
const CHANNELS = 30;

let network: TestNetwork;
let metrics: MetricsServer;

beforeAll(async () => {
  // The clock stands still: the services' periodic tasks do not count.
  network = await TestNetwork.create({ clock: createFakeClock() });
  metrics = await serveMetrics('127.0.0.1:0');
});
afterAll(async () => {
  await metrics.stop();
  await network.stop();
});

/** Eve leaves this number of channels, each with an unread message: calls and statements of that and of all that follows. */
async function costOfLeaving(count: number): Promise<{ calls: number; statements: number }> {
  const { dan, eve } = network;
  const names = Array.from({ length: count }, (_, nth) => `${count} channels, ${nth}`);
  await dan.call(subscribe, {
    subscriptions: names.map((name) => ({ name })),
    principals: [dan.userId, eve.userId],
  });
  for (const name of names)
    await dan.call(sendMessage, { type: 'channel', to: name, topic: 'lunch', content: 'Hello' });
  await network.settle();
  const [calls, statements] = [await callCount(metrics), network.statementCount()];
  await eve.call(unsubscribe, { subscriptions: names });
  await network.settle();
  return { calls: (await callCount(metrics)) - calls, statements: network.statementCount() - statements };
}

test('leaving many channels costs as many calls as leaving one, and no statements for each of them', async () => {
  await costOfLeaving(2);
  const one = await costOfLeaving(1);
  const many = await costOfLeaving(CHANNELS);
  expect(many.calls).toBe(one.calls);
  expect(many.statements).toBeLessThan(one.statements + CHANNELS / 2);
});
