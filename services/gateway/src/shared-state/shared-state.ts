import { shareLoads, VersionedMemory } from '@parley/shared/batch';
import type {
  ChannelActivity,
  ChannelObject,
  ChannelObjects,
  GetUserListsRequest,
  GroupList,
  ListVersions,
  SubscriberLists,
  UserLists,
} from '@parley/shared/proto';
import { type Caller, newCall } from '@parley/shared/rpc';
import { type Clock, ROLES } from '@parley/shared/values';
import type { Context } from '../context';
import { PresenceMemory } from './known-presences';
import { KeptLists, type SerializedChannels, type SubscribersByChannel } from './serialized-channels';

const MAX_USER_LIST_BYTES = 128 * 1024 * 1024;
/** Of each other kind of list. */
const MAX_LIST_BYTES = 64 * 1024 * 1024;
/** Memory of a map's entry besides its value. */
const ENTRY_BYTES = 200;

export type UserListView = Omit<GetUserListsRequest, 'knownVersion'>;

/** How channels list their subscribers; partial: large channels list only some. */
export type SubscribersShown = 'none' | 'all' | 'partial';

/**
 * Lists that many callers share. Concurrent callers share a load, and a list with a known version is not transferred again
 * between services. Never serves a load that started before the request; `current`: versions that were read after that, of which
 * a cached list is served at once. Each list has its version, by which POST /register checks that it is of the same moment as
 * the rest.
 */
export interface SharedState {
  /** For callers who can see all users. */
  userLists(call: Caller, view: UserListView, current?: ListVersions | null): Promise<UserLists>;
  groupList(call: Caller, includesDeactivated: boolean, current?: ListVersions | null): Promise<GroupList>;
  /** Without `current`, load the caller's visible channels after this: a channel hidden meanwhile is then omitted. */
  channels(call: Caller, shown: SubscribersShown, current?: ListVersions | null): Promise<VersionedChannels>;
  presences: PresenceMemory;
}

export interface VersionedChannels extends SerializedChannels {
  /** See ListVersions; of subscribers if those are shown. */
  versions: { channels: string; subscribers: string | undefined };
}

export function createSharedState({ services, clock }: Pick<Context, 'services' | 'clock'>): SharedState {
  const userLists = userListsLoader(services, clock);
  const groupList = groupListLoader(services, clock);
  const channels = channelsLoader(services, clock);
  return {
    userLists: (call, view, current) =>
      userLists({ call, view: { ...view, viewerRole: seeingRole(view.viewerRole) } }, current?.users),
    groupList: (call, includesDeactivated, current) => groupList({ call, includesDeactivated }, current?.groups),
    channels,
    presences: new PresenceMemory(clock),
  };
}

/**
 * A load serves several callers, so it has its own deadline, and so has each of two consecutive ones. It confirms no credential:
 * each caller makes another call as well.
 */
function forMany({ requestId, realmId, userId, clientAddress }: Caller): Caller {
  return { ...newCall(requestId), realmId, userId, ...(clientAddress !== undefined && { clientAddress }) };
}

interface Versioned {
  version: string;
  /** The version in the request is still current. */
  isKnown: boolean;
}

interface ListSource<Question, Answer, Value> {
  clock: Clock;
  maxBytes: number;
  keyOf(question: Question): string;
  load(question: Question, knownVersion: string): Promise<Answer>;
  read(answer: Answer): { value: Value; bytes: number };
}

/** The cached value if its version is `current`, or is found to be; or else a new one, which is cached. */
function cachedList<Question, Answer extends Versioned, Value>({
  clock,
  maxBytes,
  keyOf,
  load,
  read,
}: ListSource<Question, Answer, Value>): (question: Question, current?: string) => Promise<Value> {
  const memory = new VersionedMemory<Value>(clock, maxBytes);
  const recallOrLoad = async (question: Question) => {
    const key = keyOf(question);
    const known = memory.recall(key);
    const answer = await load(question, known?.version ?? '');
    if (answer.isKnown && known) return known.value;
    const { value, bytes } = read(answer);
    memory.keep(key, answer.version, value, bytes);
    return value;
  };
  const loadShared = shareLoads(recallOrLoad, keyOf);
  return async (question, current) => {
    const known = current === undefined ? undefined : memory.recall(keyOf(question));
    return known !== undefined && known.version === current ? known.value : loadShared(question);
  };
}

/** Owners see other users like administrators do. */
function seeingRole(role: number): number {
  return Math.max(role, ROLES.administrator);
}

interface UserListsQuestion {
  call: Caller;
  view: UserListView;
}

function userListsKey({ call: { realmId }, view }: UserListsQuestion): string {
  const { viewerRole, clientGravatar, includesProfiles, isDivided, isForVisitors } = view;
  return `${realmId}/${viewerRole}/${clientGravatar}/${includesProfiles}/${isDivided}/${isForVisitors}`;
}

function userListsLoader({ realm }: Context['services'], clock: Clock) {
  return cachedList<UserListsQuestion, UserLists, UserLists>({
    clock,
    maxBytes: MAX_USER_LIST_BYTES,
    keyOf: userListsKey,
    load: ({ call, view }, knownVersion) => realm.getUserLists(forMany(call), { ...view, knownVersion }),
    read: (lists) => ({
      value: lists,
      bytes: lists.users.length + lists.nonActiveUsers.length + lists.systemBots.length,
    }),
  });
}

interface GroupListQuestion {
  call: Caller;
  includesDeactivated: boolean;
}

function groupListLoader({ realm }: Context['services'], clock: Clock) {
  return cachedList<GroupListQuestion, GroupList, GroupList>({
    clock,
    maxBytes: MAX_LIST_BYTES,
    keyOf: ({ call, includesDeactivated }) => `${call.realmId}/${includesDeactivated}`,
    load: ({ call, includesDeactivated }, knownVersion) =>
      realm.getGroupList(forMany(call), { includesDeactivated, knownVersion }),
    read: (list) => ({ value: list, bytes: list.groups.length }),
  });
}

function channelsLoader(services: Context['services'], clock: Clock): SharedState['channels'] {
  const objectsOf = channelObjectsLoader(services, clock);
  const beginningsOf = beginningsLoader(services, clock);
  const subscribersOf = subscribersLoader(services, clock);
  const lists = new KeptLists();
  const objectsWithBeginnings = async (call: Caller, current?: string) => {
    const known = await objectsOf(call, current);
    return { ...known, activities: await beginningsOf({ call, ...known }) };
  };
  return async (call, shown, current) => {
    const [{ version, objects, activities }, subscribers] = await Promise.all([
      objectsWithBeginnings(call, current?.channels),
      shown === 'none' ? null : subscribersOf({ call, isPartial: shown === 'partial' }, current?.subscribers),
    ]);
    const channels = lists.of(objects, activities, null);
    const withSubscribers = subscribers ? lists.of(objects, activities, subscribers.byChannel) : channels;
    return { channels, withSubscribers, versions: { channels: version, subscribers: subscribers?.version } };
  };
}

interface VersionedObjects {
  version: string;
  objects: ChannelObject[];
}

function channelObjectsLoader({ realm }: Context['services'], clock: Clock) {
  return cachedList<Caller, ChannelObjects, VersionedObjects>({
    clock,
    maxBytes: MAX_LIST_BYTES,
    keyOf: ({ realmId }) => String(realmId),
    load: (call, knownVersion) => realm.getChannelObjects(forMany(call), { knownVersion }),
    read: ({ version, channels }) => ({
      value: { version, objects: channels },
      bytes: bytesOf(channels.map(({ json }) => json)),
    }),
  });
}

interface Beginnings {
  channelIds: number[];
  activities: ChannelActivity[];
}

/** The first messages of the channels, which are not counted in the channels' version. */
function beginningsLoader({ messages }: Context['services'], clock: Clock) {
  const memory = new VersionedMemory<Beginnings>(clock, MAX_LIST_BYTES);
  return shareLoads(
    async ({ call, objects }: VersionedObjects & { call: Caller }): Promise<ChannelActivity[]> => {
      const key = String(call.realmId);
      const ask = (channelIds: number[], knownVersion: string) =>
        messages.getChannelActivity(forMany(call), { channelIds, onlyFirstMessages: true, knownVersion });
      const known = memory.recall(key);
      // Mostly the version suffices: the ids of hundreds of channels are sent only if it does not.
      const isCurrent = known && areOf(known.value, objects) && (await ask([], known.version)).isKnown;
      if (isCurrent) return known.value.activities;
      const channelIds = objects.map(({ id }) => id);
      const { activities, version } = await ask(channelIds, '');
      if (version) memory.keep(key, version, { channelIds, activities }, channelIds.length * ENTRY_BYTES);
      return activities;
    },
    ({ call, version }) => `${call.realmId}/${version}`,
  );
}

function areOf({ channelIds }: Beginnings, objects: readonly ChannelObject[]): boolean {
  return (
    channelIds.length === objects.length && channelIds.every((channelId, index) => channelId === objects[index]?.id)
  );
}

interface SubscribersQuestion {
  call: Caller;
  isPartial: boolean;
}

function subscribersLoader({ realm }: Context['services'], clock: Clock) {
  return cachedList<SubscribersQuestion, SubscriberLists, { version: string; byChannel: SubscribersByChannel }>({
    clock,
    maxBytes: MAX_LIST_BYTES,
    keyOf: ({ call, isPartial }) => `${call.realmId}/${isPartial}`,
    load: ({ call, isPartial }, knownVersion) => realm.getSubscriberLists(forMany(call), { knownVersion, isPartial }),
    read: ({ version, lists }) => ({
      value: {
        version,
        byChannel: new Map(lists.map((list) => [list.channelId, { ...list, userIds: list.userIds as Buffer }])),
      },
      bytes: bytesOf(lists.map(({ userIds }) => userIds)),
    }),
  });
}

/** Twice: as they came, and as KeptLists writes them. */
function bytesOf(pieces: readonly { length: number }[]): number {
  return pieces.reduce((sum, { length }) => sum + 2 * (length + ENTRY_BYTES), 0);
}
