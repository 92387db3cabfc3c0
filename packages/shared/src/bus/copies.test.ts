import { RelayNetwork, versionsInLog } from '../../test/relay-network';
import { silentLogger } from '../observability';
import { BrokerCluster, testPrefix, testServers, until } from '../testing';
import { type Bus, connectBus } from './index';

const network = new RelayNetwork();
beforeAll(() => network.open());
afterEach(() => network.clear());
afterAll(() => network.close());

async function startCluster(count: number): Promise<BrokerCluster> {
  const cluster = await new BrokerCluster().start(count);
  network.onClear(() => cluster.end());
  return cluster;
}

async function open(url: string, replicas?: number, prefix = testPrefix()): Promise<Bus> {
  const bus = await connectBus({ url, prefix, replicas, name: 'test', log: silentLogger });
  network.onClear(() => bus.abandon());
  return bus;
}

const copiesOf = async ({ jsm, copies }: Bus, stream: string) => copies.countOf(await jsm.streams.info(stream));

/** While its servers elect a leader the broker answers nothing. */
async function untilCopies(bus: Bus, stream: string, copies: number): Promise<void> {
  await until(async () => (await copiesOf(bus, stream).catch(() => undefined))?.copies === copies);
}

test('a broker of one server has one copy of the log, and no more are requested', async () => {
  const bus = await open(testServers().natsUrl);
  await bus.ensureStream();
  await bus.copies.raise([bus.stream]);
  const info = await bus.jsm.streams.info(bus.stream);
  expect(info.config.num_replicas).toBe(1);
  expect(bus.copies.countOf(info)).toEqual({ copies: 1, wanted: 1 });
  await bus.jsm.streams.delete(bus.stream);
});

test('a broker with too few servers keeps as many copies as it can, and the lack is reported', async () => {
  const bus = await open(testServers().natsUrl, 3);
  await bus.ensureStream();
  expect(await copiesOf(bus, bus.stream)).toEqual({ copies: 1, wanted: 3 });
  await bus.jsm.streams.delete(bus.stream);
});

test('a broker of three servers has three copies of the log from the beginning, also after it is recreated', async () => {
  const cluster = await startCluster(3);
  const bus = await open(cluster.urlOf(0));
  await bus.ensureStream();
  await untilCopies(bus, bus.stream, 3);
  await bus.makeStreamAnew();
  await untilCopies(bus, bus.stream, 3);
  const asked = await open(cluster.urlOf(1), 1);
  await asked.ensureStream();
  expect(await copiesOf(asked, asked.stream)).toEqual({ copies: 1, wanted: 1 });
}, 120_000);

test('when the broker grows, the publisher asks for more copies and goes on publishing', async () => {
  const cluster = await startCluster(2);
  const { bus, relay } = await network.newRelay(cluster.urlOf(0));
  await bus.copies.make((replicas) => bus.js.views.kv(bus.queueBucket, { replicas }));
  expect(await copiesOf(bus, bus.stream)).toEqual({ copies: 1, wanted: 1 });
  relay.start();
  await network.announceAll(1);
  await relay.drain();
  const { created } = await bus.jsm.streams.info(bus.stream);

  await cluster.grow();
  await untilCopies(bus, `KV_${bus.queueBucket}`, 3);
  await untilCopies(bus, bus.stream, 3);
  await network.announceAll(2);
  await relay.drain();
  expect(await versionsInLog(bus)).toEqual([1, 2]);
  expect((await bus.jsm.streams.info(bus.stream)).created).toBe(created);

  await cluster.kill(2);
  await untilCopies(bus, bus.stream, 2);
  expect(await copiesOf(bus, bus.stream)).toEqual({ copies: 2, wanted: 3 });
}, 120_000);
