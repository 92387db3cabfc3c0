import { BrokerCluster, until } from '@parley/shared/testing';
import { directMessage } from './eg';
import { contents, Network } from './network';
import type { PublicEvent } from './poll-client';

const OWN = 0;

let cluster: BrokerCluster;
let network: Network;

beforeEach(async () => {
  cluster = await new BrokerCluster().start();
  network = new Network({ natsUrl: cluster.urlOf(OWN) });
  await network.start();
});

afterEach(async () => {
  await network.stop();
  await cluster.end();
});

/** The index of the server with the most recent consumer. */
async function placeOfReader(): Promise<number> {
  const { jsm, stream } = network.bus;
  const readers = await jsm.consumers.list(stream).next();
  readers.sort((a, b) => Date.parse(b.created) - Date.parse(a.created));
  return Number(readers[0]?.cluster?.leader);
}

/** The log and the queues have a copy on each server, as created. */
async function untilThreeCopies(): Promise<void> {
  const { jsm } = network.bus;
  await until(async () => {
    const infos = await jsm.streams.list().next();
    return infos.every(
      ({ cluster: peers }) => peers?.replicas?.length === 2 && peers.replicas.every(({ current }) => current),
    );
  });
}

/** A poll that waits on a pod whose consumer is on another server than its connection, and that server. */
async function pollFromAfar(): Promise<{ waiting: Promise<PublicEvent[]>; place: number }> {
  for (;;) {
    const pod = await network.startPod();
    await pod.service.caughtUp();
    const queue = await pod.register(1);
    await network.publishMessages(directMessage([1], 'before'));
    expect(contents(await pod.poll(queue))).toEqual(['before']);
    const waiting = pod.poll(queue);
    await pod.parked(1);
    // Looked up last: on a busy machine a pod may have begun to read anew, from another server.
    const place = await placeOfReader();
    if (place !== OWN) return { waiting, place };
    waiting.catch(() => {});
    await pod.stop();
  }
}

test('when the server that keeps a pod’s reader dies, waiting polls go on', async () => {
  await (await network.startPod()).register(1);
  await untilThreeCopies();
  const { waiting, place } = await pollFromAfar();
  await cluster.kill(place);
  const isPublished = (content: string) =>
    network.publishMessages(directMessage([1], content)).then(
      () => true,
      () => false,
    );
  // The servers may have to elect a leader of the log.
  await until(() => isPublished('after'));
  expect(contents(await waiting)[0]).toBe('after');
}, 120_000);
