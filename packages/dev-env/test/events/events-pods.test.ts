import { sendMessage } from '@parley/gateway/endpoints';
import { type EventQueue, type PublicEvent, TestNetwork } from '../../src';

let network: TestNetwork;
beforeAll(async () => {
  network = await TestNetwork.create({ eventsPods: 2, processes: ['events'] });
});
afterAll(() => network.stop());

const QUEUES = 12;
const MESSAGES = 300;
const SENDERS = 8;

const contentOf = (event: PublicEvent) => (event['message'] as { content: string }).content;

/** Sends messages at once from several clients; resolves with their contents. */
async function sendMany(onSent: (count: number) => void): Promise<string[]> {
  const contents = Array.from({ length: MESSAGES }, (_, index) => `message ${index}`);
  const waiting = [...contents];
  let sent = 0;
  async function sendOn(): Promise<void> {
    for (let content = waiting.shift(); content !== undefined; content = waiting.shift()) {
      await network.dan.call(sendMessage, { type: 'channel', to: 'general', topic: 'load', content });
      sent += 1;
      onSent(sent);
    }
  }
  await Promise.all(Array.from({ length: SENDERS }, sendOn));
  return contents;
}

/** Polls, as a client would, until it has as many messages; no error is forgiven. */
function follow(queue: EventQueue): Promise<PublicEvent[]> {
  return queue.take('message', MESSAGES);
}

describe('an events pod', () => {
  test('that is killed under load, and its successor, lose and repeat no event, and no client registers again', async () => {
    const people = [network.eve, network.iris, network.faye];
    const opening = Array.from({ length: QUEUES }, (_, index) =>
      people[index % people.length]?.events({ event_types: ['message'] }),
    );
    const queues = (await Promise.all(opening)) as EventQueue[];
    const following = queues.map(follow);
    const [first, second] = network.replicas.events;
    let upheaval: Promise<unknown> = Promise.resolve();
    const contents = await sendMany((sent) => {
      if (sent === MESSAGES / 3) upheaval = first?.kill().then(() => first.start()) as Promise<void>;
      if (sent === (2 * MESSAGES) / 3) upheaval = upheaval.then(() => second?.kill());
    });
    await upheaval;
    for (const received of await Promise.all(following)) {
      const ids = received.map(({ id }) => id);
      expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
      expect(received.map(contentOf).sort()).toEqual([...contents].sort());
    }
    const orders = (await Promise.all(following)).map((received) => received.map(contentOf).join());
    expect(new Set(orders).size).toBe(1);
    for (const queue of queues) expect(await queue.rest()).toEqual([]);
    await second?.start();
  }, 60_000);

  test('that comes back serves the queues of before', async () => {
    const queue = await network.eve.events({ event_types: ['message'] });
    for (const pod of network.replicas.events) {
      await pod.kill();
      const waiting = queue.next('message');
      const { id } = await network.dan.call(sendMessage, {
        type: 'channel',
        to: 'general',
        topic: 'x',
        content: 'still there',
      });
      expect(await waiting).toMatchObject({ message: { id } });
      await pod.start();
    }
  });
});
