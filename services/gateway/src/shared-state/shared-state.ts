import { shareLoads, VersionedMemory } from '@parley/shared/batch';
import type { ChannelObject, GetUserListsRequest, GroupList, UserLists } from '@parley/shared/proto';
import { type Caller, newCall } from '@parley/shared/rpc';
import { type Clock, ROLES } from '@parley/shared/values';
import type { Context } from '../context';
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
 * between services. Never serves a load that started before the request. Each list has its version, by which POST /register
 * checks that it is of the same moment as the rest.
 */
export interface SharedState {
  /** For callers who can see all users. */
  userLists(call: Caller, view: UserListView): Promise<UserLists>;
  groupList(call: Caller, includesDeactivated: boolean): Promise<GroupList>;
  /** Load the caller's visible channels after this: a channel hidden meanwhile is then omitted. */
  channels(call: Caller, shown: SubscribersShown): Promise<VersionedChannels>;
}

export interface VersionedChannels extends SerializedChannels {
  /** See ListVersions; of subscribers if those are shown. */
  versions: { channels: string; subscribers: string | undefined };
}

export function createSharedState({ services, clock }: Pick<Context, 'services' | 'clock'>): SharedState {
  const userLists = shareLoads(userListsLoader(services, clock), ({ call, view }) => userListsKey(call, view));
  const groupList = shareLoads(groupListLoader(services, clock), groupListKey);
  const channels = shareLoads(channelsLoader(services, clock), channelsKey);
  return {
    userLists: (call, view) => userLists({ call, view: { ...view, viewerRole: seeingRole(view.viewerRole) } }),
    groupList: (call, includesDeactivated) => groupList({ call, includesDeactivated }),
    channels: (call, shown) => channels({ call, shown }),
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

/** The cached value if it is still current, or else the result of `load`, which is cached. */
async function recallOrLoad<Answer extends Versioned, Value>(
  memory: VersionedMemory<Value>,
  key: string,
  load: (knownVersion: string) => Promise<Answer>,
  read: (answer: Answer) => { value: Value; bytes: number },
): Promise<Value> {
  const known = memory.recall(key);
  const answer = await load(known?.version ?? '');
  if (answer.isKnown && known) return known.value;
  const { value, bytes } = read(answer);
  memory.keep(key, answer.version, value, bytes);
  return value;
}

/** Owners see other users like administrators do. */
function seeingRole(role: number): number {
  return Math.max(role, ROLES.administrator);
}

function userListsKey({ realmId }: Caller, view: UserListView): string {
  const { viewerRole, clientGravatar, includesProfiles, isDivided, isForVisitors } = view;
  return `${realmId}/${viewerRole}/${clientGravatar}/${includesProfiles}/${isDivided}/${isForVisitors}`;
}

function userListsLoader({ realm }: Context['services'], clock: Clock) {
  const memory = new VersionedMemory<UserLists>(clock, MAX_USER_LIST_BYTES);
  return ({ call, view }: { call: Caller; view: UserListView }) =>
    recallOrLoad(
      memory,
      userListsKey(call, view),
      (knownVersion) => realm.getUserLists(forMany(call), { ...view, knownVersion }),
      (lists) => ({ value: lists, bytes: lists.users.length + lists.nonActiveUsers.length + lists.systemBots.length }),
    );
}

interface GroupListQuestion {
  call: Caller;
  includesDeactivated: boolean;
}

function groupListKey({ call, includesDeactivated }: GroupListQuestion): string {
  return `${call.realmId}/${includesDeactivated}`;
}

function groupListLoader({ realm }: Context['services'], clock: Clock) {
  const memory = new VersionedMemory<GroupList>(clock, MAX_LIST_BYTES);
  return (question: GroupListQuestion) =>
    recallOrLoad(
      memory,
      groupListKey(question),
      (knownVersion) =>
        realm.getGroupList(forMany(question.call), { includesDeactivated: question.includesDeactivated, knownVersion }),
      (list) => ({ value: list, bytes: list.groups.length }),
    );
}

interface ChannelsQuestion {
  call: Caller;
  shown: SubscribersShown;
}

function channelsKey({ call, shown }: ChannelsQuestion): string {
  return `${call.realmId}/${shown}`;
}

function channelsLoader(services: Context['services'], clock: Clock) {
  const objectsOf = channelObjectsLoader(services, clock);
  const subscribersOf = subscribersLoader(services, clock);
  const lists = new KeptLists();
  return async (question: ChannelsQuestion): Promise<VersionedChannels> => {
    const call = forMany(question.call);
    const [{ version, objects, activities }, subscribers] = await Promise.all([
      objectsOf(call),
      question.shown === 'none' ? null : subscribersOf(call, question.shown === 'partial'),
    ]);
    const channels = lists.of(objects, activities, null);
    const withSubscribers = subscribers ? lists.of(objects, activities, subscribers.byChannel) : channels;
    return { channels, withSubscribers, versions: { channels: version, subscribers: subscribers?.version } };
  };
}

function channelObjectsLoader({ realm, messages }: Context['services'], clock: Clock) {
  const memory = new VersionedMemory<{ version: string; objects: ChannelObject[] }>(clock, MAX_LIST_BYTES);
  return async (call: Caller) => {
    const { version, objects } = await recallOrLoad(
      memory,
      String(call.realmId),
      (knownVersion) => realm.getChannelObjects(call, { knownVersion }),
      (found) => ({
        value: { version: found.version, objects: found.channels },
        bytes: bytesOf(found.channels.map(({ json }) => json)),
      }),
    );
    const channelIds = objects.map(({ id }) => id);
    const { activities } = await messages.getChannelActivity(forMany(call), { channelIds, onlyFirstMessages: true });
    return { version, objects, activities };
  };
}

function subscribersLoader({ realm }: Context['services'], clock: Clock) {
  const memory = new VersionedMemory<{ version: string; byChannel: SubscribersByChannel }>(clock, MAX_LIST_BYTES);
  return (call: Caller, isPartial: boolean) =>
    recallOrLoad(
      memory,
      `${call.realmId}/${isPartial}`,
      (knownVersion) => realm.getSubscriberLists(call, { knownVersion, isPartial }),
      ({ version, lists }) => ({
        value: {
          version,
          byChannel: new Map(lists.map((list) => [list.channelId, { ...list, userIds: list.userIds as Buffer }])),
        },
        bytes: bytesOf(lists.map(({ userIds }) => userIds)),
      }),
    );
}

/** Twice: as they came, and as KeptLists writes them. */
function bytesOf(pieces: readonly { length: number }[]): number {
  return pieces.reduce((sum, { length }) => sum + 2 * (length + ENTRY_BYTES), 0);
}
