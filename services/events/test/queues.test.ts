import { BadEventQueueIdError } from '@parley/shared/errors';
import { until } from '@parley/shared/testing';
import { CHANNEL, channelMessage, directMessage, OTHER_REALM, REALM, subscriber } from './eg';
import { callerOf, contents, Network, type Pod } from './network';

let network: Network;
let pod: Pod;

beforeEach(async () => {
  network = await new Network().start();
  network.realm.knows(REALM, CHANNEL, 1, [subscriber(1, 1)]);
  pod = await network.startPod();
});

afterEach(() => network.stop());

describe('a poll', () => {
  test('answers at once with everything behind its cursor, in order', async () => {
    const queue = await pod.register(1);
    await network.publishMessages(channelMessage({ content: 'one' }), directMessage([1], 'two'));
    await network.publishMessages(channelMessage({ content: 'three' }));
    await network.settle();
    const events = await pod.poll(queue);
    expect(contents(events)).toEqual(['one', 'two', 'three']);
    const ids = events.map(({ id }) => id);
    expect([...new Set(ids)].sort((a, b) => a - b)).toEqual(ids);
  });

  test('gets the same events again until it acknowledges them', async () => {
    const queue = await pod.register(1);
    await network.publishMessages(channelMessage({ content: 'one' }), channelMessage({ content: 'two' }));
    const first = await pod.drain(queue);
    queue.lastEventId = -1;
    expect(await pod.drain(queue)).toEqual(first);
    queue.lastEventId = first[0]?.id as number;
    expect(contents(await pod.drain(queue))).toEqual(['two']);
    expect(await pod.drain(queue)).toEqual([]);
  });

  test('sees nothing from before its queue was made', async () => {
    await network.publishMessages(channelMessage({ content: 'before' }));
    await network.settle();
    const queue = await pod.register(1);
    await network.publishMessages(channelMessage({ content: 'after' }));
    expect(contents(await pod.drain(queue))).toEqual(['after']);
  });

  test('waits when there are no events, unless dont_block is set', async () => {
    const queue = await pod.register(1);
    expect(await pod.poll(queue, true)).toEqual([]);
    const waiting = pod.poll(queue);
    await pod.parked(1);
    await network.publishMessages(channelMessage());
    expect(contents(await waiting)).toEqual(['hello']);
  });

  test('gets at most about 1 MiB at a time; the rest follows', async () => {
    const queue = await pod.register(1);
    const content = 'x'.repeat(9_000);
    for (let record = 0; record < 10; record += 1)
      await network.publishMessages(...Array.from({ length: 16 }, () => channelMessage({ content })));
    const sizes: number[] = [];
    for (let events = await pod.drain(queue); events.length > 0; events = await pod.drain(queue))
      sizes.push(events.length);
    expect(sizes.length).toBe(2);
    expect(sizes[0]).toBeLessThan(120);
    expect(sizes.reduce((a, b) => a + b)).toBe(160);
  });

  test('of another user, of another organization, or without a queue is refused alike', async () => {
    const { queueId } = await pod.register(1);
    const refused = [
      { queueId, userId: 2 },
      { queueId, userId: 1, realmId: OTHER_REALM },
      { queueId: '00000000-0000-4000-8000-000000000000', userId: 1 },
      { queueId: 'not.a > queue *', userId: 1 },
    ].map((question) => pod.polls.poll(question));
    for (const answer of refused) await expect(answer).rejects.toBeInstanceOf(BadEventQueueIdError);
  });

  test('with an event id that was never given is refused', async () => {
    const queue = await pod.register(1);
    const answer = pod.polls.poll({ ...queue.question, lastEventId: 123_456_789 });
    await expect(answer).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: 'Event 123456789 was not in this queue',
    });
  });

  test('ends an older one on the same queue without events, and replaces it', async () => {
    const queue = await pod.register(1);
    const older = pod.poll(queue);
    await pod.parked(1);
    const newer = pod.poll(queue);
    expect(await older).toEqual([]);
    await pod.parked(1);
    await network.publishMessages(channelMessage());
    expect(contents(await newer)).toEqual(['hello']);
  });

  test('of one queue does not touch that of another queue of the same user', async () => {
    const [one, other] = [await pod.register(1), await pod.register(1)];
    const answers = [pod.poll(one), pod.poll(other)];
    await pod.parked(2);
    await network.publishMessages(channelMessage());
    expect((await Promise.all(answers)).map(contents)).toEqual([['hello'], ['hello']]);
  });

  test('shares a message and its bytes with all others that the same event ends', async () => {
    const queues = await Promise.all(Array.from({ length: 20 }, () => pod.register(1)));
    const answers = queues.map((queue) => pod.poll(queue));
    await pod.parked(queues.length);
    await network.publishMessages(channelMessage());
    expect((await Promise.all(answers)).map(contents)).toEqual(queues.map(() => ['hello']));
    expect(pod.polls.frames.map((replies) => replies.map(({ pollIds }) => pollIds.length))).toEqual([[20]]);
  });

  test('is answered by itself to a gateway of the version before', async () => {
    const polls = pod.pollsOfEarlierVersion();
    const queues = [await pod.register(1), await pod.register(1)];
    const answers = queues.map(({ question }) => polls.poll(question));
    await pod.parked(2);
    await network.publishMessages(channelMessage());
    expect((await Promise.all(answers)).map(contents)).toEqual([['hello'], ['hello']]);
    expect(polls.frames.length).toBe(2);
    await expect(polls.poll({ userId: 2, queueId: queues[0]?.queueId as string })).rejects.toBeInstanceOf(
      BadEventQueueIdError,
    );
  });

  test('that the client hung up on frees its place, and loses nothing', async () => {
    const queue = await pod.register(1);
    const { pollId } = pod.polls.poll(queue.question);
    await pod.parked(1);
    pod.polls.withdraw(pollId);
    await pod.parked(0);
    await network.publishMessages(channelMessage());
    expect(contents(await pod.drain(queue))).toEqual(['hello']);
  });

  test('ends with its gateway', async () => {
    void pod.polls.poll((await pod.register(1)).question);
    await pod.parked(1);
    pod.polls.hangUp();
    await pod.parked(0);
  });

  test('is given up cleanly when the pod stops: the gateway asks another one', async () => {
    const queue = await pod.register(1);
    const waiting = pod.polls.poll(queue.question);
    await pod.parked(1);
    const other = await network.startPod();
    await pod.service.stop();
    await expect(waiting).rejects.toThrow('the stream ended');
    await network.publishMessages(channelMessage());
    expect(contents(await other.drain(queue))).toEqual(['hello']);
  });
});

describe('a heartbeat', () => {
  const HEARTBEAT_MS = 50_000;

  test('ends a poll that waited in vain for 45 to 55 seconds', async () => {
    const queue = await pod.register(1, { hasEventTypes: true });
    const waiting = pod.poll(queue);
    await pod.parked(1);
    network.clock.advance(HEARTBEAT_MS - 1);
    expect(pod.service.counters.parkedPolls).toBe(1);
    network.clock.advance(1);
    expect(await waiting).toEqual([{ type: 'heartbeat', id: expect.any(Number) }]);
  });

  test('has a higher id than earlier events, and a lower one than later events', async () => {
    const queue = await pod.register(1);
    await network.publishMessages(channelMessage({ content: 'one' }));
    await pod.drain(queue);
    const before = queue.lastEventId;
    const heartbeats: number[] = [];
    for (let count = 0; count < 3; count += 1) {
      const waiting = pod.poll(queue);
      await pod.parked(1);
      network.clock.advance(HEARTBEAT_MS);
      heartbeats.push((await waiting)[0]?.id as number);
    }
    await network.publishMessages(channelMessage({ content: 'two' }));
    const [after] = await pod.drain(queue);
    const ids = [before, ...heartbeats, after?.id as number];
    expect([...new Set(ids)].sort((a, b) => a - b)).toEqual(ids);
    expect(after?.message.content).toBe('two');
  });

  test('does not skip events that its organization still waits for', async () => {
    const [queue, elsewhere] = [await pod.register(1), await pod.register(7, {}, OTHER_REALM)];
    const [waiting, waitingElsewhere] = [pod.poll(queue), pod.poll(elsewhere)];
    await pod.parked(2);
    await network.realm.stop();
    await network.publishMessages(channelMessage({ content: 'held up' }));
    await network.publish('message.sent', [directMessage([7])], OTHER_REALM);
    expect(await waitingElsewhere).toMatchObject([{ type: 'message' }]);
    network.clock.advance(HEARTBEAT_MS);
    expect(await waiting).toMatchObject([{ type: 'heartbeat' }]);
    await network.realm.start();
    expect(contents(await pod.drain(queue))).toEqual(['held up']);
  });
});

describe('deleting a queue', () => {
  test('ends a poll that waits on it, on any pod, and the queue', async () => {
    const other = await network.startPod();
    const queue = await pod.register(1);
    const waiting = other.poll(queue);
    await other.parked(1);
    await pod.delete(queue);
    expect(await waiting).toEqual([]);
    await expect(pod.poll(queue)).rejects.toBeInstanceOf(BadEventQueueIdError);
    await expect(other.poll(queue)).rejects.toBeInstanceOf(BadEventQueueIdError);
  });

  test('ends the polls of all that are deleted together', async () => {
    const other = await network.startPod();
    const queues = await Promise.all(Array.from({ length: 100 }, () => pod.register(1)));
    const polls = queues.map((queue) => other.poll(queue));
    await other.parked(100);
    await Promise.all(queues.map((queue) => pod.delete(queue)));
    expect(await Promise.all(polls)).toEqual(queues.map(() => []));
  });

  test('twice, or another user’s, is refused', async () => {
    const queue = await pod.register(1);
    const foreign = pod.client.deleteQueue(callerOf(2), { queueId: queue.queueId });
    await expect(foreign).rejects.toBeInstanceOf(BadEventQueueIdError);
    await pod.delete(queue);
    await expect(pod.delete(queue)).rejects.toBeInstanceOf(BadEventQueueIdError);
  });
});

describe('the queues of a user', () => {
  test('are listed on any pod, the most recently used first, without those of others and expired ones', async () => {
    const older = await pod.register(1, { clientName: 'phone', eventTypes: ['message'], hasEventTypes: true });
    await pod.register(2);
    await pod.register(1, {}, OTHER_REALM);
    const deleted = await pod.register(1);
    await pod.delete(deleted);
    network.clock.advance(1_000);
    const newer = await pod.register(1);
    const { queues } = await (await network.startPod()).client.listQueues(callerOf(1, REALM), {});
    expect(queues.map(({ queueId }) => queueId)).toEqual([newer.queueId, older.queueId]);
    expect(queues[1]).toMatchObject({ clientName: 'phone', eventTypes: ['message'], hasEventTypes: true });
    expect(queues[0]).toMatchObject({ eventTypes: [], hasEventTypes: false });
    network.clock.advance(60 * 60_000);
    expect(await pod.client.listQueues(callerOf(1, REALM), {})).toEqual({ queues: [] });
  });

  test('are listed while others are removed', async () => {
    const kept = await pod.register(1);
    const list = () => pod.client.listQueues(callerOf(1), {});
    for (let count = 0; count < 40; count += 1) {
      const removed = await Promise.all([1, 2, 3].map((userId) => pod.register(userId + 1)));
      const [{ queues }] = await Promise.all([list(), list(), ...removed.map((queue) => pod.delete(queue))]);
      expect(queues.map(({ queueId }) => queueId)).toEqual([kept.queueId]);
    }
  });
});

describe('a queue', () => {
  test('expires when it was not polled for its lifespan, 10 minutes by default', async () => {
    const [polled, unpolled] = [await pod.register(1), await pod.register(1)];
    const long = await pod.register(1, { lifespanSecs: 3_600 });
    network.clock.advance(599_000);
    await pod.poll(polled, true);
    await network.kept(polled);
    network.clock.advance(100_000);
    expect(await pod.poll(polled, true)).toEqual([]);
    await expect(pod.poll(unpolled, true)).rejects.toBeInstanceOf(BadEventQueueIdError);
    network.clock.advance(600_000);
    expect(await pod.poll(long, true)).toEqual([]);
  });

  test('lives seven days at most', async () => {
    const queue = await pod.register(1, { lifespanSecs: 2_000_000_000 });
    network.clock.advance(7 * 24 * 3_600_000 + 70_000);
    await expect(pod.poll(queue, true)).rejects.toBeInstanceOf(BadEventQueueIdError);
  });

  test('does not expire while a poll waits on it, nor for its lifespan after that', async () => {
    const queue = await pod.register(1, { lifespanSecs: 10 });
    const waiting = pod.poll(queue);
    await pod.parked(1);
    await network.kept(queue, 55 + 10);
    network.clock.advance(50_000);
    await waiting;
    network.clock.advance(9_000);
    expect(await pod.poll(queue, true)).toEqual([]);
  });

  test('that several pods serve lives as long as it is polled at any of them', async () => {
    const MINUTE_MS = 60_000;
    const other = await network.startPod();
    const queue = await pod.register(1);
    network.clock.advance(2 * MINUTE_MS);
    await other.poll(queue, true);
    await network.kept(queue);
    network.clock.advance(8 * MINUTE_MS);
    await pod.poll(queue, true);
    await network.kept(queue);
    network.clock.advance(4 * MINUTE_MS);
    expect(await other.poll(queue, true)).toEqual([]);
    expect(await pod.poll(queue, true)).toEqual([]);
  });

  test('ends when its user makes so many that they take up too much of the pod: those idle longest go first', async () => {
    const narrow = [{ operator: 'topic', operand: 'x'.repeat(30_000) }];
    const polled = await pod.register(1, { narrow });
    const waiting = pod.poll(polled);
    const idle = await pod.register(1);
    const bystander = await pod.register(2);
    await pod.parked(1);
    network.clock.advance(1_000);
    for (let count = 0; count < 11; count += 1)
      await Promise.all(Array.from({ length: 50 }, () => pod.register(1, { narrow })));
    const newest = await pod.register(1, { narrow });
    await expect(pod.poll(idle, true)).rejects.toBeInstanceOf(BadEventQueueIdError);
    for (const queue of [newest, bystander]) expect(await pod.poll(queue, true)).toEqual([]);
    expect(pod.service.counters.parkedPolls).toBe(1);
    await pod.delete(polled);
    expect(await waiting).toEqual([]);
  });

  test('that has expired is removed from the store', async () => {
    const [expired, alive] = [await pod.register(1), await pod.register(1, { lifespanSecs: 604_800 })];
    const bucket = await network.bus.js.views.kv(`${network.prefix}queues`);
    await until(async () => {
      network.clock.advance(60_000);
      return (await bucket.get(expired.queueId))?.operation === 'DEL';
    });
    expect((await bucket.get(alive.queueId))?.operation).toBe('PUT');
  });
});
