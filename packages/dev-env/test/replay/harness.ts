import { applyEvents } from '@parley/client-model/apply-events';
import { type ClientKind, keyOf } from '@parley/client-model/rules';
import type { State } from '@parley/client-model/state';
import { deleteQueue } from '@parley/gateway/endpoints';
import type { EventQueue, PublicEvent, TestClient, TestNetwork } from '../../src';
import { openEventQueue } from '../../src/network/event-queue';
import { normalise } from './normalise';
import { expectPublished } from './published-payloads';
import { dropUntold, formerOf, newestOf } from './untold';

/**
 * Compares events with the answer of POST /register: a client that follows them has the same state as one that registers again.
 *
 *     const followers = await followEveryone(network);          // iris, dan, eve, faye, robo; each with an old and a new client
 *     await expectFreshEqualsReplayed(network, followers, ['subscription/add', 'subscription/peer_add'], () =>
 *       network.dan.call(subscribe, { subscriptions: [{ name: 'books' }] }));
 *
 * The names are `type` or `type/op`, or with a property after a colon (`stream/update:name`, `realm_user/update:role`): somebody
 * must have got each of them. For everybody, the state from before with the events applied to it must be the state that a new
 * registration gets, and no event may tell what that state has already. After each call everybody follows from the new registration. A client's rule for an event is in packages/client-model/src/<noun>-rules.ts; what is not compared, and why,
 * in normalise.ts. All events must have the payloads that the reference of the API describes.
 */
export async function expectFreshEqualsReplayed(
  network: TestNetwork,
  followers: Followers,
  produced: readonly string[],
  action: () => Promise<unknown>,
  { endsQueuesOf = [], mayEndQueues = false }: Ending = {},
): Promise<PublicEvent[]> {
  await action();
  await network.settle();
  const isOver = ({ name }: Follower) => endsQueuesOf.includes(name.split(',')[0] as string);
  const newestId = newestOf(followers.map(({ state }) => state));
  const outcomes = await Promise.all(
    followers.map((each) => (isOver(each) ? beginAnew(each) : catchUp(each, { mayEnd: mayEndQueues, newestId }))),
  );
  expect(Object.fromEntries(outcomes.flatMap(({ differences }) => differences))).toEqual({});
  const seen = outcomes.flatMap(({ events }) => events);
  // Examples are those of new clients. The published schemas tell what has come so far: changes that nobody has chosen extend them only.
  if (!mayEndQueues || process.env['RECORD_EXAMPLES']) expectPublished([...seen].reverse());
  const names = seen.flatMap(namesOf);
  expect(produced.filter((name) => !names.includes(name))).toEqual([]);
  return seen;
}

interface Ending {
  /** Names of those whose queues must end, so that they register again. */
  endsQueuesOf?: readonly string[];
  /** Any queue may end, and what no event can tell is not compared (untold.ts): for changes that nobody has chosen. */
  mayEndQueues?: boolean;
}

/**
 * Makes what the action of the next comparison needs: everybody applies its events to their state, and that comparison covers them too.
 */
export async function makeReady<Made>(
  network: TestNetwork,
  followers: Followers,
  make: () => Promise<Made>,
): Promise<Made> {
  const made = await make();
  await network.settle();
  const seen = await Promise.all(followers.map(keepUp));
  expectPublished(seen.flat());
  return made;
}

export interface Follower {
  name: string;
  client: TestClient;
  kind: ClientKind;
  queue: EventQueue;
  /** Of the registration, with the events applied that came since. */
  state: State;
  more: MoreState;
}

/** Further requests of a client after registering; members of its state like the others. */
export type MoreState = (client: TestClient, kind: ClientKind) => Promise<State>;

export type Followers = Follower[];

const EVERY_CAPABILITY = [
  'notification_settings_null',
  'bulk_message_deletion',
  'user_avatar_url_field_optional',
  'stream_typing_notifications',
  'user_settings_object',
  'linkifier_url_template',
  'user_list_incomplete',
  'include_deactivated_groups',
  'archived_channels',
  'empty_topic_name',
  'simplified_presence_events',
];

const CAST = ['iris', 'dan', 'eve', 'faye', 'robo'] as const;

/** Owner, members, guest and bot of the network, and others by name; each with a client that knows nothing new and one that knows all. */
export async function followEveryone(
  network: TestNetwork,
  others: Readonly<Record<string, TestClient>> = {},
  more: MoreState = async () => ({}),
): Promise<Followers> {
  await network.settle();
  const clients = [...CAST.map((name) => [name, network[name]] as const), ...Object.entries(others)];
  const followers = clients.flatMap(([name, client]) => [
    follow(`${name}, old client`, client, [], more),
    follow(`${name}, new client`, client, EVERY_CAPABILITY, more),
  ]);
  return Promise.all(followers);
}

async function follow(
  name: string,
  client: TestClient,
  capabilities: readonly string[],
  more: MoreState,
): Promise<Follower> {
  const kind = { capabilities: new Set(capabilities) };
  return { name, client, kind, more, ...(await register({ client, kind, more })) };
}

type Registered = Pick<Follower, 'queue' | 'state'>;

/** Earlier changes were delivered before. */
async function register({ client, kind, more }: Pick<Follower, 'client' | 'kind' | 'more'>): Promise<Registered> {
  const { capabilities } = kind;
  const queue = await openEventQueue(client, {
    include_subscribers: 'true',
    client_gravatar: capabilities.size > 0,
    client_capabilities: Object.fromEntries([...capabilities].map((name) => [name, true])),
  });
  return { queue, state: { ...queue.state, ...(await more(client, kind)) } };
}

interface Outcome {
  events: PublicEvent[];
  /** Empty: the events tell what registering does. */
  differences: [string, string[]][];
}

async function beginAnew(follower: Follower): Promise<Outcome> {
  const { client, queue } = follower;
  await client.expectError('BAD_EVENT_QUEUE_ID', deleteQueue, { queue_id: queue.queueId });
  Object.assign(follower, await register(follower));
  return { events: [], differences: [] };
}

async function catchUp(
  follower: Follower,
  { mayEnd, newestId }: { mayEnd: boolean; newestId: number },
): Promise<Outcome> {
  const { name, client, kind, queue, state } = follower;
  const events = await queue.rest().catch((error: Error) => {
    if (mayEnd && error.message.includes('BAD_EVENT_QUEUE_ID')) return null;
    throw error;
  });
  if (!events) {
    Object.assign(follower, await register(follower));
    return { events: [], differences: [] };
  }
  const next = await register(follower);
  await client.call(deleteQueue, { queue_id: queue.queueId });
  Object.assign(follower, next);
  const fresh = structuredClone(next.state);
  const found = faultsOf(() => {
    const former = formerOf(state, newestId);
    applyEvents(state, events, kind);
    if (mayEnd) dropUntold(former, state, fresh);
    return differencesOf('', normalise(state, kind), normalise(fresh, kind));
  });
  return { events, differences: found.length > 0 ? [[name, found]] : [] };
}

async function keepUp(follower: Follower): Promise<PublicEvent[]> {
  const events = await follower.queue.rest();
  applyEvents(follower.state, events, follower.kind);
  return events;
}

/** An event that does not fit what came before is a fault as well. */
function faultsOf(findDifferences: () => string[]): string[] {
  try {
    return findDifferences();
  } catch (error) {
    return [(error as Error).message];
  }
}

/** As far inside as both have the same places. */
function differencesOf(path: string, replayed: unknown, fresh: unknown): string[] {
  if (isComparable(replayed) && isComparable(fresh) && haveSameLength(replayed, fresh)) {
    const names = Object.keys({ ...replayed, ...fresh });
    return names.flatMap((name) => differencesOf(`${path}.${name}`, replayed[name], fresh[name]));
  }
  return replayed === fresh ? [] : [`${path} is ${JSON.stringify(replayed)}, not ${JSON.stringify(fresh)}`];
}

function isComparable(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** The ids of a list's items; other values have none. */
function haveSameLength(a: Record<string, unknown>, b: Record<string, unknown>): boolean {
  return Array.isArray(a) === Array.isArray(b) && a['length'] === b['length'];
}

function namesOf(event: PublicEvent): string[] {
  const key = keyOf(event);
  const changed = (event['person'] ?? event['data'] ?? event['bot'] ?? {}) as object;
  const properties = typeof event['property'] === 'string' ? [event['property']] : [];
  return [key, ...[...properties, ...Object.keys(changed)].map((name) => `${key}:${name}`)];
}
