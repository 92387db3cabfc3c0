import type { Audience } from '@parley/shared/events';
import { until } from '@parley/shared/testing';
import { CHANNEL, channelMessage, edit, REALM, subscriber } from './eg';
import { Network, type Pod, type TestQueue } from './network';

let network: Network;
let pod: Pod;

beforeEach(async () => {
  network = await new Network().start();
  pod = await network.startPod();
  network.realm.knows(REALM, CHANNEL, 1, [subscriber(1, 1), subscriber(2, 1)]);
});
afterEach(() => network.stop());

const publishEdits = (...edits: ReturnType<typeof edit>[]) => network.publish('message.edited', edits);
const register = (userId: number) => pod.register(userId);
const flags = async (queue: TestQueue) => (await pod.drain(queue)).map((event) => event.flags);
const types = (events: { type: string }[]) => events.map(({ type }) => type);

/** Queues of that many subscribers, each with a pending poll; returns their events. */
async function wait(count: number) {
  const userIds = Array.from({ length: count }, (_, index) => index + 1);
  const subscribers = userIds.map((userId) => subscriber(userId, 1));
  network.realm.knows(REALM, CHANNEL, 1, subscribers);
  const queues = await Promise.all(userIds.map(register));
  const answers = queues.map((queue) => pod.poll(queue));
  await pod.parked(count);
  return { queues, answers };
}

describe('the flags on an edited message', () => {
  test('are those of each receiver, on waiting and later polls; for users without the message it is read', async () => {
    network.realm.knows(REALM, CHANNEL, 2, [subscriber(1, 1), subscriber(2, 1), subscriber(3, 2)]);
    network.messages.knowsFlags(1, 7, { isRead: true, isCollapsed: true });
    network.messages.knowsFlags(3, 7, { isStarred: true });
    const userIds = [1, 2, 3, 4];
    const [waiting, later] = [await Promise.all(userIds.map(register)), await Promise.all(userIds.map(register))];
    const answers = waiting.map((queue) => pod.poll(queue));
    await pod.parked(4);
    const receivedAt = [{ channelId: CHANNEL, version: 1 }];
    const inChannel = { to: 'subscribers', channelId: CHANNEL, isPublic: true } as const;
    const audience: Audience = { ...inChannel, version: 2, alsoIds: [4], receivedAt };
    await publishEdits(edit({ audience, mentionedIds: [2], mentionsChannel: true }));
    const wildcards = ['stream_wildcard_mentioned', 'wildcard_mentioned'];
    const expected = [
      [['read', 'collapsed', ...wildcards]],
      [['mentioned', ...wildcards]],
      [['read', 'starred']],
      [['read']],
    ];
    expect((await Promise.all(answers)).map((events) => events.map((event) => event.flags))).toEqual(expected);
    expect(await Promise.all(later.map(flags))).toEqual(expected);
  });

  test('are those at the time of delivery', async () => {
    const [early, late] = [await register(1), await register(1)];
    await publishEdits(edit());
    expect(await flags(early)).toEqual([[]]);
    network.messages.knowsFlags(1, 7, { isRead: true });
    expect(await flags(late)).toEqual([['read']]);
    await publishEdits(edit());
    expect(await flags(early)).toEqual([['read']]);
  });

  test('are delivered to queues that only listen to public channels, too', async () => {
    network.messages.knowsFlags(5, 7, { isStarred: true });
    const [listening, stranger] = [await pod.register(5, { allPublicChannels: true }), await register(6)];
    await publishEdits(edit());
    expect([await flags(listening), await flags(stranger)]).toEqual([[['read', 'starred']], []]);
  });
});

describe('messages is called for flags', () => {
  test('only for edits, and only of receivers of the edit', async () => {
    const queues = [await register(1), await register(3), await pod.register(2, onlyMessages)];
    const waiting = await pod.register(2, onlyMessages);
    const answer = pod.poll(waiting);
    await pod.parked(1);
    await network.publishMessages(channelMessage());
    await answer;
    await Promise.all(queues.map((queue) => pod.drain(queue)));
    expect(network.messages.calls).toEqual([]);
    await publishEdits(edit());
    await Promise.all(queues.map((queue) => pod.drain(queue)));
    expect(network.messages.calls).toEqual([1]);
  });

  test('once for all waiting polls, in calls of a thousand users at most', async () => {
    network.messages.knowsFlags(1_050, 7, { isRead: true });
    const { answers } = await wait(1_100);
    await publishEdits(edit());
    const flagsOfEach = (await Promise.all(answers)).map(([event]) => event?.flags);
    expect(flagsOfEach.flatMap((own, index) => (own?.length ? [[index + 1, own]] : []))).toEqual([[1_050, ['read']]]);
    expect(network.messages.calls).toEqual([1_000, 100]);
  }, 60_000);

  test('in few calls for many polls with many edits', async () => {
    const queues = await Promise.all(Array.from({ length: 60 }, () => register(1)));
    const edits = Array.from({ length: 30 }, (_, index) => edit({ messageId: 100 + index }));
    network.messages.knowsFlags(1, 117, { isStarred: true });
    await publishEdits(...edits);
    const flagsOfEach = await Promise.all(queues.map(flags));
    const expected = edits.map(({ messageId }) => (messageId === 117 ? ['starred'] : []));
    expect(flagsOfEach).toEqual(queues.map(() => expected));
    expect(network.messages.calls.length).toBeLessThan(10);
    // Concurrent questions about the same flags share one call.
    expect(network.messages.calls.reduce((sum, count) => sum + count)).toBeLessThanOrEqual(60 * 30);
  });
});

const onlyMessages = { eventTypes: ['message'], hasEventTypes: true };

describe('while messages is unreachable, or slow,', () => {
  test('an edit and all later events wait: nothing is lost, repeated or reordered', async () => {
    network.messages.knowsFlags(1, 7, { isRead: true });
    const [waiting, asking] = [await register(1), await register(1)];
    const answer = pod.poll(waiting);
    await pod.parked(1);
    await network.messages.stop();
    await publishEdits(edit());
    await network.publishMessages(channelMessage({ content: 'after' }));
    const asked = pod.poll(asking);
    await network.messages.start();
    const first = await answer;
    expect(first.map(({ type, flags: own }) => [type, own])).toEqual([['update_message', ['read']]]);
    expect(types(await pod.drain(waiting))).toEqual(['message']);
    const got = await asked;
    expect([...types(got), ...types(await pod.drain(asking))]).toEqual(['update_message', 'message']);
    expect(got[0]?.flags).toEqual(['read']);
  });

  test('a response that has events already goes without the edit, which the next one has', async () => {
    const queue = await register(1);
    await network.messages.stop();
    await network.publishMessages(channelMessage());
    await publishEdits(edit());
    expect(types(await pod.drain(queue))).toEqual(['message']);
    const answer = pod.poll(queue);
    await network.messages.start();
    expect(types(await answer)).toEqual(['update_message']);
  });

  test('a failed call is repeated', async () => {
    network.messages.knowsFlags(1, 7, { isRead: true });
    const queue = await register(1);
    const answer = pod.poll(queue);
    await pod.parked(1);
    network.messages.failNext(2);
    await publishEdits(edit());
    expect((await answer).map((event) => event.flags)).toEqual([['read']]);
    expect(network.messages.calls).toEqual([1, 1, 1]);
  });

  test('a poll that begins during the call does not repeat events that another pod delivered', async () => {
    const other = await network.startPod();
    const queue = await register(1);
    const answer = pod.poll(queue);
    await pod.parked(1);
    const release = network.messages.holdNext();
    await publishEdits(edit());
    await until(() => network.messages.calls.length === 1);
    expect(types(await other.poll(queue))).toEqual(['update_message']);
    const next = pod.poll(queue);
    expect(await answer).toEqual([]);
    await pod.parked(1);
    release();
    await pod.service.caughtUp();
    await network.publishMessages(channelMessage());
    expect(types(await next)).toEqual(['message']);
  });

  test('a pending request is not repeated, however often the client polls', async () => {
    const queue = await register(1);
    await publishEdits(edit());
    await pod.service.caughtUp();
    const release = network.messages.holdNext();
    const polls = Array.from({ length: 20 }, () => pod.poll(queue));
    await until(() => network.messages.calls.length === 1);
    release();
    expect(types((await Promise.all(polls)).flat())).toEqual(['update_message']);
    expect(network.messages.calls).toEqual([1]);
  });
});
