import { BadEventQueueIdError } from '@parley/shared/errors';
import type { Audience, ChannelChanged, UserDeactivated } from '@parley/shared/events';
import { CHANNEL, OTHER_REALM, REALM, subscriber, subscriptionChange } from './eg';
import { Network, type Pod, type TestQueue } from './network';

let network: Network;
let pod: Pod;

beforeEach(async () => {
  network = await new Network().start();
  network.realm.knows(REALM, CHANNEL, 2, [subscriber(1, 1), subscriber(2, 1, 2)]);
  pod = await network.startPod();
});

afterEach(() => network.stop());

function renamed(audience: Audience, name = 'New'): ChannelChanged {
  return { channelId: CHANNEL, name: 'Lobby', isArchived: false, change: { name }, audience };
}

const inChannel = (fields: Partial<Extract<Audience, { to: 'subscribers' }>>): Audience => ({
  to: 'subscribers',
  channelId: CHANNEL,
  version: 2,
  isPublic: false,
  ...fields,
});

/** Whether a pending poll, and a later one, each get an event. Five users: 1 is subscribed, 2 was, 5 is a wide listener. */
async function whoGets(audience: Audience): Promise<number[][]> {
  const users = [1, 2, 3, 4, 5];
  const registerAll = () =>
    Promise.all(users.map((userId) => pod.register(userId, userId === 5 ? { allPublicChannels: true } : {})));
  const [waiting, later] = [await registerAll(), await registerAll()];
  const answers = waiting.map((queue) => pod.poll(queue));
  await pod.parked(users.length);
  await network.publish('channel.changed', [renamed(audience)]);
  await network.settle();
  // Pending polls get this instead.
  await network.publish('channel.changed', [renamed({ to: 'realm' }, 'Last')]);
  const first = (await Promise.all(answers)).map(([event]) => event?.['value']);
  const collected = await Promise.all(later.map(async (queue) => (await pod.drain(queue))[0]?.['value']));
  return [first, collected].map((values) => users.filter((_, index) => values[index] === 'New'));
}

test.each<[Audience, number[]]>([
  [{ to: 'realm' }, [1, 2, 3, 4, 5]],
  [{ to: 'realm', exceptIds: [2, 4] }, [1, 3, 5]],
  [{ to: 'users', userIds: [3, 3, 9] }, [3]],
  [inChannel({}), [1]],
  [inChannel({ isPublic: true }), [1, 5]],
  [inChannel({ alsoIds: [1, 3], exceptIds: [] }), [1, 3]],
  [inChannel({ alsoIds: [3], exceptIds: [1], isPublic: true }), [3, 5]],
  [inChannel({ exceptIds: [5], isPublic: true }), [1]],
])('an event for %j reaches %j, waiting or not', async (audience, userIds) => {
  expect(await whoGets(audience)).toEqual([userIds, userIds]);
});

describe('queues end', () => {
  const deactivated = (userId: number, audience: Audience = { to: 'realm' }): UserDeactivated => ({
    userId,
    isBot: false,
    audience,
    lostByIds: [],
    managerIds: [],
  });

  const refused = (queue: TestQueue, at = pod) =>
    expect(at.poll(queue, true)).rejects.toBeInstanceOf(BadEventQueueIdError);

  test('with their user, on every pod, also on pods that load or start later; other users continue', async () => {
    const other = await network.startPod();
    const [known, unknown, bystander] = [await pod.register(1), await pod.register(1), await pod.register(2)];
    await other.poll(known, true);
    await network.publish('user.deactivated', [deactivated(1)]);
    await network.settle();
    const successor = await network.startPod();
    for (const at of [pod, other, successor]) for (const queue of [known, unknown]) await refused(queue, at);
    expect(await successor.drain(bystander)).toHaveLength(1);
  });

  test('after waiting polls got the event, or nothing if it is not for them', async () => {
    const all = await pod.register(1);
    const messagesOnly = await pod.register(1, { hasEventTypes: true, eventTypes: ['message'] });
    const bystander = await pod.register(2, { hasEventTypes: true, eventTypes: ['message'] });
    const answers = [pod.poll(all), pod.poll(messagesOnly)];
    void pod.poll(bystander).catch(() => {});
    await pod.parked(3);
    await network.publish('user.deactivated', [deactivated(1)]);
    const [withEvent, withoutEvent] = await Promise.all(answers);
    expect(withEvent).toMatchObject([{ type: 'realm_user', op: 'update', person: { user_id: 1, is_active: false } }]);
    expect(withoutEvent).toEqual([]);
    expect(pod.service.counters.parkedPolls).toBe(1);
  });

  test('even while earlier events wait for realm', async () => {
    const queue = await pod.register(1);
    const waiting = pod.poll(queue);
    await pod.parked(1);
    await network.realm.stop();
    await network.publishChange(subscriptionChange({ version: 3, unsubscribedIds: [1] }));
    await network.publish('channel.changed', [renamed(inChannel({ version: 4 }))]);
    await network.publish('user.deactivated', [deactivated(1, { to: 'users', userIds: [] })]);
    network.realm.knows(REALM, CHANNEL, 4, [subscriber(1, 1, 3)]);
    await network.realm.start();
    expect(await waiting).toEqual([]);
    await refused(queue);
  });

  test('with their organization only, and users may register again afterwards', async () => {
    const [queue, elsewhere] = [await pod.register(1), await pod.register(1, {}, OTHER_REALM)];
    const waiting = pod.poll(queue);
    await pod.parked(1);
    await network.publish('realm.deactivated', [{ realmId: REALM }]);
    expect(await waiting).toMatchObject([{ type: 'realm', op: 'deactivated', realm_id: REALM }]);
    await refused(queue);
    expect(await pod.drain(elsewhere)).toEqual([]);
    const later = await pod.register(1);
    await network.publish('channel.changed', [renamed({ to: 'realm' })]);
    expect(await pod.drain(later)).toHaveLength(1);
  });

  test.each(['realm.filled', 'messages.filled'] as const)(
    'when an organization was filled (%s), for all of its users',
    async (kind) => {
      const queue = await pod.register(1);
      await network.publish(kind, [{}]);
      await network.settle();
      await refused(queue);
    },
  );
});
