import { BadEventQueueIdError } from '@parley/shared/errors';
import { until } from '@parley/shared/testing';
import { headers } from 'nats';
import { CHANNEL, channelMessage, directMessage, REALM, subscriber, subscriptionChange } from './eg';
import { contents, Network, type NetworkOptions, type TestQueue } from './network';
import { SlowWire } from './slow-wire';

const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function startNetwork(options: NetworkOptions = {}): Promise<Network> {
  const network = await new Network(options).start();
  network.realm.knows(REALM, CHANNEL, 1, [subscriber(1, 1)]);
  closing.push(() => network.stop());
  return network;
}

const say = (network: Network, content: string) => network.publishMessages(channelMessage({ content }));

const archive = (network: Network, isArchived: boolean) =>
  network.publish('channel.archived', [
    { channel: { id: CHANNEL, isArchived }, audience: { to: 'users', userIds: [] } },
  ]);

describe('any pod serves any queue:', () => {
  test('two pods serve one in turns, without loss or repeat', async () => {
    const network = await startNetwork();
    const pods = [await network.startPod(), await network.startPod()];
    const queue = await pods[0]?.register(1);
    const seen: string[] = [];
    for (let turn = 0; turn < 20; turn += 1) {
      await say(network, `${turn}`);
      seen.push(...contents((await pods[turn % 2]?.drain(queue as TestQueue)) ?? []));
    }
    expect(seen).toEqual(Array.from({ length: 20 }, (_, turn) => `${turn}`));
  });

  test('a poll may move to another pod while it waits', async () => {
    const network = await startNetwork();
    const [one, two] = [await network.startPod(), await network.startPod()];
    const queue = await one.register(1);
    void one.polls.poll(queue.question);
    await one.parked(1);
    const waiting = two.poll(queue);
    await two.parked(1);
    await say(network, 'hello');
    expect(contents(await waiting)).toEqual(['hello']);
  });

  test('an older poll on the same queue at another pod ends without events, in both directions', async () => {
    const network = await startNetwork();
    const [one, two] = [await network.startPod(), await network.startPod()];
    const [queue, other] = [await one.register(1), await one.register(1)];
    const untouched = one.poll(other);
    let older = one.poll(queue);
    await one.parked(2);
    for (const pod of [two, one, two]) {
      const newer = pod.poll(queue);
      expect(await older).toEqual([]);
      older = newer;
    }
    await Promise.all([one.parked(1), two.parked(1)]);
    await say(network, 'hello');
    expect(contents(await older)).toEqual(['hello']);
    expect(contents(await untouched)).toEqual(['hello']);
  });

  test('a pod that has just started gives the same events the same ids', async () => {
    const network = await startNetwork();
    const one = await network.startPod();
    const queue = await one.register(1);
    await say(network, 'before');
    await network.publishMessages(channelMessage({ content: 'two' }), directMessage([1], 'three'));
    await network.publishChange(subscriptionChange({ version: 2, unsubscribedIds: [1] }));
    await network.publishMessages(channelMessage({ content: 'not for 1', subscriptionVersion: 2 }));
    const events = await one.drain(queue);
    network.realm.knows(REALM, CHANNEL, 2, [subscriber(1, 1, 2)]);
    const successor = await network.startPod();
    await one.service.stop();
    queue.lastEventId = -1;
    expect(await successor.drain(queue)).toEqual(events);
    expect(contents(events)).toEqual(['before', 'two', 'three']);
  });

  test('a message that was stored while its receiver left is read for them, at every pod and at any time', async () => {
    const network = await startNetwork();
    const one = await network.startPod();
    const [waiting, late] = [await one.register(1), await one.register(1)];
    await say(network, 'before');
    expect(contents(await one.drain(waiting))).toEqual(['before']);
    await network.publishChange(subscriptionChange({ version: 2, unsubscribedIds: [1] }));
    const answer = one.poll(waiting);
    await one.parked(1);
    await say(network, 'meanwhile');
    await network.publishChange(subscriptionChange({ version: 3, subscribedIds: [1] }));
    expect(await answer).toMatchObject([{ flags: ['read'] }]);
    await network.publishMessages(channelMessage({ content: 'after', subscriptionVersion: 3 }));
    network.realm.knows(REALM, CHANNEL, 3, [
      { userId: 1, intervals: [{ fromVersion: 1, toVersion: 2 }, { fromVersion: 3 }] },
    ]);
    const successor = await network.startPod();
    const expected = [
      { message: { content: 'before' }, flags: [] },
      { message: { content: 'meanwhile' }, flags: ['read'] },
      { message: { content: 'after' }, flags: [] },
    ];
    late.lastEventId = -1;
    expect(await one.drain(late)).toMatchObject(expected);
    late.lastEventId = -1;
    expect(await successor.drain(late)).toMatchObject(expected);
  });

  test('a message that was stored while its channel was archived is read, at every pod and at any time', async () => {
    const network = await startNetwork();
    const one = await network.startPod();
    const late = await one.register(1);
    await say(network, 'before');
    await archive(network, true);
    await say(network, 'meanwhile');
    await archive(network, false);
    await say(network, 'after');
    const successor = await network.startPod();
    const expected = [
      { message: { content: 'before' }, flags: [] },
      { message: { content: 'meanwhile' }, flags: ['read'] },
      { message: { content: 'after' }, flags: [] },
    ];
    const messagesOf = (events: readonly { type: string }[]) => events.filter(({ type }) => type === 'message');
    expect(messagesOf(await one.drain(late))).toMatchObject(expected);
    late.lastEventId = -1;
    expect(messagesOf(await successor.drain(late))).toMatchObject(expected);
  });

  test('a poll at a pod that is still reading the past waits for it', async () => {
    const network = await startNetwork();
    const one = await network.startPod();
    const queue = await one.register(1);
    for (let count = 0; count < 500; count += 1) await say(network, `${count}`);
    const successor = await network.startPod();
    expect(await successor.poll(queue, true)).toHaveLength(500);
  });

  test('a poll with a cursor ahead of the pod waits, and is not refused', async () => {
    const network = await startNetwork();
    const wire = await new SlowWire().start(network.natsUrl);
    closing.push(async () => wire.stop());
    const [one, slow] = [await network.startPod(), await network.startPod(wire.url)];
    const queue = await one.register(1);
    expect(await slow.poll(queue, true)).toEqual([]);
    wire.hold();
    await say(network, 'one');
    expect(contents(await one.drain(queue))).toEqual(['one']);
    const answer = slow.poll(queue, true);
    await say(network, 'two');
    wire.release();
    const [event] = await answer;
    expect([undefined, 'two']).toContain(event?.message.content);
    expect(contents(await slow.drain(queue))).toEqual(event ? [] : ['two']);
  });
});

describe('never a silent gap:', () => {
  const content = 'x'.repeat(9_000);

  test('a cursor before the window of a pod is refused at once', async () => {
    const network = await startNetwork({ windowBytes: 1024 ** 2 });
    const pod = await network.startPod();
    const [sleeper, reader] = [await pod.register(1), await pod.register(1)];
    for (let count = 0; count < 100; count += 1) {
      await say(network, content);
      await pod.drain(reader);
    }
    await expect(pod.poll(sleeper)).rejects.toBeInstanceOf(BadEventQueueIdError);
    expect(await pod.poll(reader, true)).toEqual([]);
  });

  test('nor does a pod that has just started pretend to hold it', async () => {
    const network = await startNetwork({ windowBytes: 1024 ** 2 });
    const pod = await network.startPod();
    const sleeper = await pod.register(1);
    for (let count = 0; count < 200; count += 1) await say(network, content);
    const reader = await pod.register(1);
    await say(network, 'last');
    const successor = await network.startPod();
    await expect(successor.poll(sleeper)).rejects.toBeInstanceOf(BadEventQueueIdError);
    expect(contents(await successor.drain(reader)).at(-1)).toBe('last');
  });

  test('busy organizations do not push a quiet one out of the window', async () => {
    const network = await startNetwork({ windowBytes: 1024 ** 2 });
    const pod = await network.startPod();
    const quiet = await pod.register(1, {}, 2);
    for (let count = 0; count < 200; count += 1) await say(network, content);
    await network.publish('message.sent', [directMessage([1], 'at last')], 2);
    expect(contents(await pod.drain(quiet))).toEqual(['at last']);
  });

  test('when the log is recreated, its old queues and their polls are refused, and new queues work', async () => {
    const network = await startNetwork();
    const [pod, other] = [await network.startPod(), await network.startPod()];
    const [waiter, sleeper] = [await pod.register(1), await pod.register(1)];
    const old = ['one', 'two', 'three', 'four'];
    for (const content of old) await say(network, content);
    await pod.drain(waiter);
    const waiting = pod.poll(waiter);
    await pod.parked(1);
    await network.bus.jsm.streams.delete(network.bus.stream);
    await network.bus.ensureStream();
    await expect(waiting).rejects.toBeInstanceOf(BadEventQueueIdError);
    await say(network, 'new');
    await expect(pod.drain(sleeper)).rejects.toBeInstanceOf(BadEventQueueIdError);
    await until(() =>
      other.drain(sleeper).then(
        () => false,
        // It is not ready until it notices.
        (error) => error instanceof BadEventQueueIdError,
      ),
    );
    const queue = await pod.register(1);
    await say(network, 'newer');
    expect(contents(await other.drain(queue))).toEqual(['newer']);
    expect(await pod.drain(queue)).toEqual([]);
    // Its cursor is beyond the end of the new log.
    for (const each of [pod, other]) await expect(each.poll(waiter)).rejects.toBeInstanceOf(BadEventQueueIdError);
  });

  test('records refilled for services are not delivered to clients', async () => {
    const network = await startNetwork();
    const [pod, other] = [await network.startPod(), await network.startPod()];
    const queue = await pod.register(1);
    const { bus } = network;
    const record = { service: 'test', kind: 'message.sent', realmId: REALM, ids: [1], payloads: [channelMessage()] };
    const refilled = headers();
    refilled.set('Refilled', 'true');
    await bus.js.publish(bus.subject(REALM, 'message.sent'), JSON.stringify(record), { headers: refilled });
    await say(network, 'new');
    expect(contents(await pod.drain(queue))).toEqual(['new']);
    queue.lastEventId = -1;
    expect(contents(await other.drain(queue))).toEqual(['new']);
  });
});
