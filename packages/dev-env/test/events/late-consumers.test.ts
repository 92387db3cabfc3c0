import type { State } from '@parley/client-model/state';
import {
  changeGroupMembers,
  createChannel,
  createGroup,
  editMessage,
  sendMessage,
  subscribe,
  unsubscribe,
  updateChannel,
  updateFlags,
  updateUser,
  updateUserTopic,
} from '@parley/gateway/endpoints';
import { ROLES } from '@parley/shared/values';
import { type EventQueue, type TestClient, TestNetwork } from '../../src';
import { openEventQueue } from '../../src/network/event-queue';
import { normalise } from '../replay/normalise';
import { replay } from '../replay/replay';

/**
 * Messages announces the consequences of realm's events later. A client that registers in between has a state with realm's newest facts,
 * and must not get the consequences again.
 */

let network: TestNetwork;
beforeAll(async () => {
  network = await TestNetwork.create();
});
afterAll(() => network.stop());

const CAPABILITIES = {
  ...{ bulk_message_deletion: true, user_settings_object: true, empty_topic_name: true, archived_channels: true },
  ...{ include_deactivated_groups: true, simplified_presence_events: true, notification_settings_null: true },
};
const kind = { capabilities: new Set(Object.keys(CAPABILITIES)) };

function register(client: TestClient): Promise<EventQueue> {
  return openEventQueue(client, {
    include_subscribers: 'true',
    client_gravatar: true,
    client_capabilities: CAPABILITIES,
  });
}

/** Nothing that messages consumes is handled before `work` is over. */
async function whileConsumersWait<Result>(work: () => Promise<Result>): Promise<Result> {
  return network.database('messages').transaction(async (tx) => {
    await tx.query('lock table handled_event in access exclusive mode');
    return work();
  });
}

function comparable(state: State): State {
  const { messages: _, presences: __, ...others } = normalise(state, kind);
  return others;
}

/** Fails when the queue lacks an event, or has one twice. */
async function expectOneCut(client: TestClient, queues: readonly EventQueue[]): Promise<void> {
  await network.settle();
  const fresh = comparable((await register(client)).state);
  for (const queue of queues) expect(comparable(replay(queue.state, await queue.rest(), kind))).toEqual(fresh);
}

interface StarredChannel {
  id: number;
  name: string;
  messageId: number;
}

/** Each takes eve's access to a message in a channel that she has starred, or to what she has decided about its topic, and gives it back. */
interface Way {
  name: string;
  channel: { invite_only?: boolean; history_public_to_subscribers?: boolean };
  /** Whether eve joins, and whether she leaves again before all begins: then she has the star without having received the message. */
  eve: 'joins' | 'joins later' | 'stays out';
  prepare?: (place: StarredChannel) => Promise<unknown>;
  take: (place: StarredChannel) => Promise<unknown>;
  give: (place: StarredChannel) => Promise<unknown>;
  /** Queues of before end with a change of this kind. */
  endsQueues?: true;
}

const settingOf = (...direct_members: number[]) => ({ new: { direct_members, direct_subgroups: [] as number[] } });
const change =
  (settings: object) =>
  ({ id }: StarredChannel) =>
    network.dan.call(updateChannel, { stream_id: id, ...settings });
const leave = ({ name }: StarredChannel) => network.eve.call(unsubscribe, { subscriptions: [name] });
const add = ({ name }: StarredChannel) =>
  network.dan.call(subscribe, { subscriptions: [{ name }], principals: [network.eve.userId] });
const remove = ({ name }: StarredChannel) =>
  network.iris.call(unsubscribe, { subscriptions: [name], principals: [network.eve.userId] });

let elsewhere = 0;
let teamId = 0;
const move = (to: () => number) => (place: StarredChannel) =>
  network.iris.call(editMessage, { message_id: place.messageId, stream_id: to(), propagate_mode: 'change_all' });

const PRIVATE = { invite_only: true, history_public_to_subscribers: false };
const SHARED = { invite_only: true, history_public_to_subscribers: true };

const WAYS: readonly Way[] = [
  { name: 'leaving a private channel', channel: PRIVATE, eve: 'joins', take: leave, give: add },
  { name: 'being removed from a private channel', channel: SHARED, eve: 'joins later', take: remove, give: add },
  {
    name: 'a channel that is made private',
    channel: {},
    eve: 'stays out',
    take: change({ is_private: true }),
    give: change({ is_private: false }),
  },
  {
    name: 'history that is closed',
    channel: SHARED,
    eve: 'joins later',
    take: change({ is_private: true, history_public_to_subscribers: false }),
    give: change({ is_private: true, history_public_to_subscribers: true }),
  },
  {
    name: 'a channel that is archived',
    channel: SHARED,
    eve: 'joins',
    take: change({ is_archived: true }),
    give: change({ is_archived: false }),
  },
  {
    name: 'the right to subscribe',
    channel: SHARED,
    eve: 'stays out',
    prepare: (place) => change({ can_subscribe_group: settingOf(network.eve.userId) })(place),
    take: (place) => change({ can_subscribe_group: settingOf() })(place),
    give: (place) => change({ can_subscribe_group: settingOf(network.eve.userId) })(place),
  },
  {
    name: 'a group that has the right to subscribe',
    channel: SHARED,
    eve: 'stays out',
    prepare: (place) => change({ can_subscribe_group: { new: teamId } })(place),
    take: () => network.iris.call(changeGroupMembers, { user_group_id: teamId, delete: [network.eve.userId] }),
    give: () => network.iris.call(changeGroupMembers, { user_group_id: teamId, add: [network.eve.userId] }),
  },
  {
    name: 'leaving a channel that one administers',
    channel: PRIVATE,
    eve: 'joins',
    prepare: (place) =>
      change({ can_administer_channel_group: settingOf(network.eve.userId, network.dan.userId) })(place),
    take: leave,
    give: add,
  },
  {
    name: 'a message that is moved',
    channel: {},
    eve: 'joins',
    take: move(() => elsewhere),
    give: (place) => move(() => place.id)(place),
  },
  {
    name: 'being a guest',
    channel: {},
    eve: 'stays out',
    take: () => network.iris.call(updateUser, { user_id: network.eve.userId, role: ROLES.guest }),
    give: () => network.iris.call(updateUser, { user_id: network.eve.userId, role: ROLES.member }),
    endsQueues: true,
  },
];

async function newPlace({ name, channel, eve, prepare }: Way): Promise<StarredChannel> {
  const { dan, iris } = network;
  const subscribers = [dan, iris, ...(eve === 'joins' ? [network.eve] : [])].map(({ userId }) => userId);
  const { id } = await dan.call(createChannel, { name, subscribers, ...channel });
  const { id: messageId } = await dan.call(sendMessage, { type: 'channel', to: id, topic: 'plans', content: 'go' });
  const place = { id, name, messageId };
  if (eve === 'joins later') await add(place);
  await prepare?.(place);
  await network.eve.call(updateFlags, { messages: [messageId], op: 'add', flag: 'starred' });
  await network.eve.call(updateUserTopic, { stream_id: id, topic: 'plans', visibility_policy: 3 });
  await network.settle();
  return place;
}

beforeAll(async () => {
  const { iris, dan, eve } = network;
  const others = { name: 'elsewhere', subscribers: [dan.userId, iris.userId], invite_only: true };
  elsewhere = (await iris.call(createChannel, others)).id;
  teamId = (await iris.call(createGroup, { name: 'team', description: '', members: [eve.userId] })).group_id;
});

describe.each(WAYS)('$name', (way) => {
  let place: StarredChannel;
  beforeAll(async () => {
    place = await newPlace(way);
  });

  test.each(['take', 'give'] as const)('%s', async (what) => {
    const { eve } = network;
    const before = await register(eve);
    const between = await whileConsumersWait(async () => {
      await way[what](place);
      return register(eve);
    });
    await expectOneCut(eve, way.endsQueues ? [between] : [before, between]);
  });
});
