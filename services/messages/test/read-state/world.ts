import type { ChannelReadFacts, Organization, ReadFacts, VersionInterval } from '@parley/shared/proto';
import { exampleUser } from '../realm-peer';

export const USER_IDS = [1, 2, 3];
export const CHANNEL_IDS = [1, 2, 3];
export const TOPICS = ['x', 'y', 'Zebra'];
/** Participants of the direct conversations. */
export const DIRECTS = [[1, 2], [1, 2, 3], [1], [2, 3]];

export interface WorldChannel {
  version: number;
  isArchived: boolean;
  intervals: Map<number, VersionInterval[]>;
  mutedByIds: Set<number>;
}

/** Realm's data in a history, for both the model and the service. */
export interface World {
  channels: Map<number, WorldChannel>;
  mutedUserIds: Map<number, Set<number>>;
}

export function newWorld(): World {
  const channel = (): WorldChannel => ({
    version: 1,
    isArchived: false,
    // The third user begins unsubscribed.
    intervals: new Map([1, 2].map((userId) => [userId, [{ fromVersion: 1 }]])),
    mutedByIds: new Set(),
  });
  return {
    channels: new Map(CHANNEL_IDS.map((id) => [id, channel()])),
    mutedUserIds: new Map(USER_IDS.map((id) => [id, new Set<number>()])),
  };
}

export function channelOf(world: World, channelId: number): WorldChannel {
  return world.channels.get(channelId) as WorldChannel;
}

export function isSubscribed(world: World, userId: number, channelId: number): boolean {
  const last = channelOf(world, channelId).intervals.get(userId)?.at(-1);
  return last !== undefined && last.toVersion === undefined;
}

export function wasSubscribed(world: World, userId: number, channelId: number, version: number): boolean {
  const intervals = channelOf(world, channelId).intervals.get(userId) ?? [];
  return intervals.some(
    ({ fromVersion, toVersion = Number.POSITIVE_INFINITY }) => fromVersion <= version && version < toVersion,
  );
}

/** The version since which a user has been subscribed without a break. */
export function memberSince(world: World, userId: number, channelId: number): number {
  const last = channelOf(world, channelId).intervals.get(userId)?.at(-1);
  return last && last.toVersion === undefined ? last.fromVersion : Number.POSITIVE_INFINITY;
}

/** Returns whether that was a change. */
export function setSubscribed(world: World, userId: number, channelId: number, isWanted: boolean): boolean {
  if (isSubscribed(world, userId, channelId) === isWanted) return false;
  const channel = channelOf(world, channelId);
  channel.version += 1;
  const intervals = channel.intervals.get(userId) ?? [];
  const last = intervals.at(-1);
  if (isWanted) intervals.push({ fromVersion: channel.version });
  else if (last) last.toVersion = channel.version;
  channel.intervals.set(userId, intervals);
  return true;
}

export function readFactsOf(world: World, realmId: number, userId: number): ReadFacts {
  const channels = [...world.channels].map(([channelId, channel]): ChannelReadFacts => {
    const { isArchived, intervals, mutedByIds } = channel;
    return {
      channelId,
      name: `channel ${channelId}`,
      mayReadHistory: true,
      hasContentAccess: true,
      isSubscribed: isSubscribed(world, userId, channelId),
      isMuted: mutedByIds.has(userId),
      isPublic: true,
      isWebPublic: false,
      isArchived,
      isHidden: false,
      subscriptionVersion: channel.version,
      intervals: intervals.get(userId) ?? [],
    };
  });
  return {
    realm: { id: realmId } as Organization,
    reader: exampleUser(realmId, userId, `User ${userId}`),
    channels,
    mutedUserIds: [...(world.mutedUserIds.get(userId) ?? [])],
    alertWords: [],
    receiptCandidates: [],
    readerSettings: '{}',
  };
}
