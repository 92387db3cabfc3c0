import {
  archiveChannel,
  createChannel,
  subscribe,
  unsubscribe,
  updateChannel,
  updateSubscriptionProperty,
  updateUser,
} from '@parley/gateway/endpoints';
import { ROLES } from '@parley/shared/values';
import { type EventQueue, type PublicEvent, type TestClient, TestNetwork } from '../../src';

/** More than fit into one record of the log. */
const MANY = Array.from({ length: 40 }, (_, index) => `project ${index}`);

let network: TestNetwork;
beforeAll(async () => {
  network = await TestNetwork.create();
});
afterAll(() => network.stop());

const TYPES = ['stream', 'subscription'];

const follow = (client: TestClient, archived_channels = true) =>
  client.events({ event_types: TYPES, fetch_event_types: [], client_capabilities: { archived_channels } });

async function heard(queue: EventQueue): Promise<PublicEvent[]> {
  await network.settle();
  return queue.rest();
}

/** The numbers of subscribers of a client that counts what events add. */
function countSubscribers(events: readonly PublicEvent[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { op, streams, stream_ids: ids, user_ids: userIds } of events) {
    if (op === 'create') {
      for (const { stream_id, subscriber_count } of streams as { stream_id: number; subscriber_count: number }[])
        counts[stream_id] = subscriber_count;
    }
    if (op === 'peer_add') {
      for (const id of ids as number[]) counts[id] = (counts[id] ?? 0) + (userIds as number[]).length;
    }
  }
  return counts;
}

const opsOf = (events: readonly PublicEvent[]) => events.map(({ type, op }) => `${type}/${op}`);
const streamsOf = (event: PublicEvent | undefined) => event?.['streams'] as { stream_id: number }[];

test('a guest who becomes a member gets all channels in one event, with their subscribers, and loses them in one', async () => {
  const { iris, dan, eve, faye } = network;
  await dan.call(subscribe, { subscriptions: MANY.map((name) => ({ name })), principals: [dan.userId, eve.userId] });
  const queue = await follow(faye);
  await iris.call(updateUser, { user_id: faye.userId, role: ROLES.member });
  const gained = await heard(queue);
  expect(opsOf(gained)).toEqual(['stream/create', 'subscription/peer_add']);
  expect(streamsOf(gained[0])).toHaveLength(MANY.length);
  expect(Object.values(countSubscribers(gained))).toEqual(MANY.map(() => 2));
  await iris.call(updateUser, { user_id: faye.userId, role: ROLES.guest });
  const lost = await heard(queue);
  expect(opsOf(lost)).toEqual(['stream/delete']);
  expect(streamsOf(lost[0]).map(({ stream_id }) => stream_id)).toEqual(
    streamsOf(gained[0]).map((each) => each.stream_id),
  );
  expect(lost[0]?.['stream_ids']).toEqual(streamsOf(lost[0]).map(({ stream_id }) => stream_id));
});

test('subscribers of a private channel are counted once by an administrator who is new', async () => {
  const { iris, dan, eve, faye } = network;
  const subscribers = [dan.userId, faye.userId];
  const { id } = await dan.call(createChannel, { name: 'vault', subscribers, invite_only: true });
  const queue = await follow(eve);
  await iris.call(updateUser, { user_id: eve.userId, role: ROLES.administrator });
  expect(countSubscribers(await heard(queue))).toMatchObject({ [id]: 2 });
  await iris.call(updateUser, { user_id: eve.userId, role: ROLES.member });
});

test('channels created together are in one event', async () => {
  const { dan, eve } = network;
  const queue = await follow(eve);
  await dan.call(subscribe, { subscriptions: [{ name: 'north' }, { name: 'south' }] });
  const [created] = await heard(queue);
  expect(streamsOf(created)).toMatchObject([{ name: 'north' }, { name: 'south' }]);
});

test('channels that a guest is subscribed to together appear together, and vanish together', async () => {
  const { dan, faye } = network;
  const queue = await follow(faye);
  const both = [{ name: 'east' }, { name: 'west' }];
  await dan.call(subscribe, { subscriptions: both });
  await dan.call(subscribe, { subscriptions: both, principals: [faye.userId] });
  const gained = await heard(queue);
  expect(opsOf(gained)).toEqual(['stream/create', 'subscription/add']);
  expect(streamsOf(gained[0])).toMatchObject(both);
  await network.iris.call(unsubscribe, { subscriptions: ['east', 'west'], principals: [faye.userId] });
  const lost = await heard(queue);
  expect(opsOf(lost)).toEqual(['subscription/remove', 'stream/delete']);
  expect(streamsOf(lost[1])).toHaveLength(2);
});

test('subscribers of a channel that is brought back are counted once by clients that had lost it', async () => {
  const { iris, dan, faye, eve } = network;
  const subscribers = [iris.userId, dan.userId, faye.userId];
  const { id } = await iris.call(createChannel, { name: 'loft', subscribers });
  const queue = await follow(eve, false);
  await iris.call(archiveChannel, { stream_id: id });
  await iris.call(updateChannel, { stream_id: id, is_archived: false });
  expect(countSubscribers(await heard(queue))).toEqual({ [id]: 3 });
});

test('clients without support for archived channels get no events about them', async () => {
  const { iris, dan, eve } = network;
  const subscribers = [iris.userId, dan.userId, eve.userId];
  const { id } = await iris.call(createChannel, { name: 'attic', subscribers });
  await iris.call(createChannel, { name: 'cellar', subscribers });
  await iris.call(archiveChannel, { stream_id: id });
  await network.settle();
  const [old, knowing] = [await follow(dan, false), await follow(dan)];
  await dan.call(updateSubscriptionProperty, { stream_id: id, property: 'pin_to_top', value: true });
  await iris.call(updateChannel, { stream_id: id, description: 'dusty' });
  await iris.call(unsubscribe, { subscriptions: ['attic', 'cellar'], principals: [eve.userId] });
  await iris.call(unsubscribe, { subscriptions: ['attic', 'cellar'], principals: [dan.userId] });
  const toKnowing = await heard(knowing);
  expect(opsOf(toKnowing)).toEqual(
    expect.arrayContaining(['subscription/update', 'stream/update', 'subscription/peer_remove', 'subscription/remove']),
  );
  const toOld = await heard(old);
  expect(opsOf(toOld)).toEqual(['subscription/peer_remove', 'subscription/remove']);

  expect(toOld.map(({ stream_ids, subscriptions }) => stream_ids ?? subscriptions)).not.toContainEqual(
    expect.arrayContaining([id]),
  );
});
