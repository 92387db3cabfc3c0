import { DiscardPolicy } from 'nats';
import { Broker } from '../../test/broker';
import { change, changesInLog, RelayNetwork, versionsInLog } from '../../test/relay-network';
import { channelFolderChanged, messageSent, typingReported } from '../events';
import { silentLogger } from '../observability';
import { testServers, until } from '../testing';
import { announce, announceEphemeral, type Bus, epochOf, refillLog } from './index';

const network = new RelayNetwork();

beforeAll(() => network.open());
afterEach(() => network.clear());
afterAll(() => network.close());

async function untilLogHolds(bus: Bus, count: number): Promise<void> {
  const size = async () => (await bus.jsm.streams.info(bus.stream).catch(() => null))?.state.messages ?? 0;
  await until(async () => (await size()) >= count);
}

const refilled = (version: number) => ({ version, isRefilled: true });
const announced = (version: number) => ({ version, isRefilled: false });

async function epoch(bus: Bus): Promise<string> {
  return epochOf(await bus.jsm.streams.info(bus.stream));
}

async function newBroker(): Promise<Broker> {
  const broker = await new Broker().start();
  network.onClear(() => broker.end());
  return broker;
}

describe('a log that was lost', () => {
  test('is refilled with the events that services act on, in order and marked, before anything new', async () => {
    const { bus, relay } = await network.newRelay();
    relay.start();
    await network.announceAll(1, 2);
    await network.announceAll(3);
    await relay.drain();
    await bus.jsm.streams.delete(bus.stream);
    await network.announceAll(4);
    await relay.drain();
    // If the relay had already chosen new rows when it detected the loss, they are among the refilled ones.
    const changes = (await changesInLog(bus)).filter((change) => !(change.isRefilled && change.version === 4));
    expect(changes).toEqual([...[1, 2, 3].map(refilled), announced(4)]);
  });

  test('is refilled though nothing new happens', async () => {
    const { bus, relay } = await network.newRelay();
    relay.start();
    await network.announceAll(1, 2);
    await relay.drain();
    await bus.jsm.streams.delete(bus.stream);
    await untilLogHolds(bus, 1);
    expect(await changesInLog(bus)).toEqual([1, 2].map(refilled));
  });

  test('is not refilled with events for clients only', async () => {
    const { bus, relay } = await network.newRelay();
    relay.start();
    const folder = channelFolderChanged(1, { folderId: 1, changes: {} } as never);
    await network.database.transaction((tx) => announce(tx, change(1), folder, change(2)));
    await relay.drain();
    await bus.jsm.streams.delete(bus.stream);
    await untilLogHolds(bus, 1);
    expect(await versionsInLog(bus)).toEqual([1, 2]);
  });

  test('is refilled with the latest events only of the most frequent kind', async () => {
    const { bus, relay } = await network.newRelay();
    relay.start();
    const sent = [1, 2].map((version) => messageSent(1, { version } as never));
    await network.database.transaction((tx) => announce(tx, ...sent, change(3)));
    await relay.drain();
    await network.database.query(`update outbox set created_at = now() - interval '61 minutes' where id <> (
      select id from outbox where kind = 'message.sent' order by id desc limit 1)`);
    await bus.jsm.streams.delete(bus.stream);
    await untilLogHolds(bus, 2);
    expect(await versionsInLog(bus)).toEqual([2, 3]);
  });

  test('while no relay was running is refilled by the next one, once', async () => {
    const { bus, relay, busPrefix } = await network.newRelay();
    relay.start();
    await network.announceAll(1);
    await relay.drain();
    await relay.stop();
    await bus.jsm.streams.delete(bus.stream);
    await bus.ensureStream();
    await network.announceAll(2);
    for (let round = 0; round < 2; round += 1) {
      const { relay: next } = await network.newRelay(testServers().natsUrl, busPrefix);
      next.start();
      await next.drain();
      await next.stop();
    }
    expect(await changesInLog(bus)).toEqual([refilled(1), announced(2)]);
  });

  test('is refilled further from where an interrupted refill stopped', async () => {
    const { bus, relay } = await network.newRelay();
    await network.announceAll(1, 2, 3, 4);
    await network.database.query(
      'update outbox_progress set published_up_to = 3, refilled_up_to = 1, refill_up_to = 3',
    );
    relay.start();
    await relay.drain();
    expect(await changesInLog(bus)).toEqual([refilled(2), refilled(3), announced(4)]);
    expect(await relay.gauges()).toMatchObject({ rowsToRefill: 0 });
  });

  test('is refilled for services only when the operator asks for it, even while nothing is published', async () => {
    const { bus, relay } = await network.newRelay();
    relay.start();
    await network.announceAll(1, 2);
    await relay.drain();
    const ask = (isDry: boolean) => refillLog(network.database, { service: 'thing', requestId: 'r' }, { isDry });
    expect(await ask(true)).toEqual({ events: 2 });
    expect(await ask(false)).toEqual({ events: 2 });
    await relay.drain();
    const isChange = ({ version }: { version?: number }) => version !== undefined;
    const changes = (await changesInLog(bus)).filter(isChange);
    expect(changes).toEqual([...[1, 2].map(announced), ...[1, 2].map(refilled)]);
    await relay.stop();
    expect(await ask(false)).toEqual({ events: 3 });
    await expect(ask(false)).rejects.toThrow('The log is being refilled by thing already.');
  });

  test('while the broker accepts records, and returns none, is recreated and refilled', async () => {
    const { bus, relay } = await network.newRelay();
    relay.start();
    await network.announceAll(1);
    await relay.drain();
    await network.announceAll(2);
    await relay.drain();
    const before = await epoch(bus);
    const { state } = await bus.jsm.streams.info(bus.stream);
    await bus.jsm.streams.deleteMessage(bus.stream, state.last_seq);
    const giveUpAt = performance.now() + 30_000;
    await until(async () => (await epoch(bus).catch(() => before)) !== before || performance.now() > giveUpAt);
    expect(await epoch(bus)).not.toBe(before);
    await untilLogHolds(bus, 1);
    expect(await changesInLog(bus)).toEqual([1, 2].map(refilled));
  });

  test('is recreated if it is empty and accepts nothing', async () => {
    const { bus, relay } = await network.newRelay();
    const { config } = await bus.jsm.streams.info(bus.stream);
    await bus.jsm.streams.update(bus.stream, { ...config, discard: DiscardPolicy.New, max_bytes: 1 });
    await network.announceAll(1);
    relay.start();
    await relay.drain();
    // The relay had chosen it before it was refused.
    expect(await changesInLog(bus)).toEqual([refilled(1), announced(1)]);
  });

  test('is recreated only after the broker has had time to remove the old one', async () => {
    const { bus } = await network.newRelay();
    await bus.jsm.streams.delete(bus.stream);
    const beginMs = performance.now();
    await bus.ensureStream();
    expect(performance.now() - beginMs).toBeGreaterThanOrEqual(900);
  });

  test('at its end only is known by its last record, and is another log from then on', async () => {
    const broker = await newBroker();
    const { bus, relay } = await network.newRelay(broker.url);
    relay.start();
    await network.announceAll(1);
    await relay.drain();
    const before = await epoch(bus);
    await broker.forget(async () => {
      await network.announceAll(2);
      await relay.drain();
    });
    await network.announceAll(3);
    await relay.drain();
    await untilLogHolds(bus, 3);
    const changes = await changesInLog(bus);
    expect(changes.filter(({ isRefilled }) => isRefilled).map(({ version }) => version)).toEqual(
      expect.arrayContaining([1, 2]),
    );
    expect(changes[0]).toEqual(announced(1));
    expect(changes.filter(({ isRefilled }) => !isRefilled)).toEqual([announced(1), announced(3)]);
    expect(await epoch(bus)).not.toBe(before);
  });
});

describe('a log that is still whole', () => {
  test('is not refilled when the broker was restarted', async () => {
    const broker = await newBroker();
    const { bus, relay } = await network.newRelay(broker.url);
    relay.start();
    await network.announceAll(1);
    await relay.drain();
    const before = await epoch(bus);
    await broker.stop();
    await broker.start();
    await network.announceAll(2);
    await relay.drain();
    expect(await changesInLog(bus)).toEqual([1, 2].map(announced));
    expect(await epoch(bus)).toBe(before);
  });

  test('is not refilled because published records were dropped by age or size', async () => {
    const { bus, relay, busPrefix } = await network.newRelay();
    relay.start();
    await network.announceAll(1);
    await relay.drain();
    await relay.stop();
    await bus.jsm.streams.purge(bus.stream);
    const { relay: next } = await network.newRelay(testServers().natsUrl, busPrefix);
    await network.announceAll(2);
    next.start();
    await next.drain();
    expect(await changesInLog(bus)).toEqual([announced(2)]);
  });

  test('is not mistaken for another one because of ephemeral events, which no outbox knows', async () => {
    const { bus, relay, busPrefix } = await network.newRelay();
    relay.start();
    const typing = typingReported(1, {} as never);
    await announceEphemeral({ bus, log: silentLogger }, 'thing', typing);
    await network.announceAll(1);
    await relay.drain();
    await announceEphemeral({ bus, log: silentLogger }, 'thing', typing);
    await relay.stop();
    const { relay: next } = await network.newRelay(testServers().natsUrl, busPrefix);
    next.start();
    await network.announceAll(2);
    await next.drain();
    const { state } = await bus.jsm.streams.info(bus.stream);
    expect(state.messages).toBe(4);
  });
});
