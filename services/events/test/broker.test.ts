import { connectBus } from '@parley/shared/bus';
import { BadEventQueueIdError } from '@parley/shared/errors';
import { silentLogger } from '@parley/shared/service';
import { Broker } from './broker';
import { CHANNEL, channelMessage, REALM, subscriber } from './eg';
import { contents, Network, type Pod, publishTo, type TestQueue } from './network';

let broker: Broker;
let network: Network;
let pod: Pod;
let queue: TestQueue;

beforeEach(async () => {
  broker = await new Broker().start();
  network = await new Network({ natsUrl: broker.url }).start();
  network.realm.knows(REALM, CHANNEL, 1, [subscriber(1, 1)]);
  pod = await network.startPod();
  queue = await pod.register(1);
});

afterEach(async () => {
  await network.stop();
  await broker.end();
});

async function say(...texts: string[]): Promise<void> {
  await network.reach();
  for (const content of texts) await network.publishMessages(channelMessage({ content }));
}

/** Publishes messages to the log while no pod can read, of which only the last one stays. */
async function sayUnheard(url: string, ...texts: string[]): Promise<void> {
  const bus = await connectBus({ url, prefix: network.prefix, name: 'test', log: silentLogger });
  for (const content of texts) await publishTo(bus, 'message.sent', [channelMessage({ content })]);
  await bus.jsm.streams.purge(bus.stream, { keep: 1 });
  await bus.close();
}

test('when the broker restarts, waiting polls go on: no gap, no repeat', async () => {
  await say('before');
  expect(contents(await pod.poll(queue))).toEqual(['before']);
  const waiting = pod.poll(queue);
  await pod.parked(1);
  await broker.stop();
  await broker.start();
  await say('after', 'later');
  expect(contents([...(await waiting), ...(await pod.drain(queue))])).toEqual(['after', 'later']);
});

test('when the broker restarts, deletions on other pods still end waiting polls', async () => {
  const other = await network.startPod();
  await broker.stop();
  await broker.start();
  await network.reach();
  const waiting = pod.poll(queue);
  await pod.parked(1);
  await other.delete(queue);
  expect(await waiting).toEqual([]);
});

test('during an outage of the broker, the window of a pod is still served', async () => {
  await say('held');
  await network.settle();
  await broker.stop();
  expect(contents(await pod.poll(queue, true))).toEqual(['held']);
  await broker.start();
  await network.reach();
});

test('when the broker returns with an older log, ids that will be given again are refused on every pod', async () => {
  await say('kept');
  await pod.drain(queue);
  await broker.stop();
  const copy = broker.backUp();
  await broker.start();
  await say('lost 1', 'lost 2', 'lost 3');
  expect(contents(await pod.drain(queue))).toEqual(['lost 1', 'lost 2', 'lost 3']);
  const waiting = pod.poll(queue);
  await pod.parked(1);
  await broker.stop();
  broker.restore(copy);
  await broker.start();
  await say('new 1', 'new 2', 'new 3', 'new 4');
  await expect(waiting).rejects.toBeInstanceOf(BadEventQueueIdError);
  const other = await network.startPod();
  await expect(other.poll(queue)).rejects.toBeInstanceOf(BadEventQueueIdError);
});

test('when records were removed before a pod has read them, its waiting polls are refused', async () => {
  const waiting = pod.poll(queue);
  await pod.parked(1);
  await broker.stop();
  await sayUnheard(await broker.startElsewhere(), 'missed', 'kept');
  await broker.stop();
  await broker.start();
  await expect(waiting).rejects.toBeInstanceOf(BadEventQueueIdError);
  const later = await pod.register(1);
  await say('later');
  expect(contents(await pod.drain(later))).toEqual(['later']);
});
