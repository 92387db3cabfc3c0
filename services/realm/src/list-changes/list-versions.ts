import { Slices, shareLoads, VersionedMemory } from '@parley/shared/batch';
import type { Sql } from '@parley/shared/db';
import type {
  Channel,
  ChannelObject,
  ChannelObjects,
  GetChannelObjectsRequest,
  GetGroupListRequest,
  GetSubscriberListsRequest,
  GroupList,
  SubscriberLists,
} from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { publicChannel, publicGroup } from '@parley/shared/wire';
import { loadChannels } from '../channel-access/channels.sql';
import type { Context } from '../context';
import { selectGroups } from '../groups/groups.sql';
import { toGroups } from '../groups/list-groups';
import {
  findChannelsVersion,
  findGroupListVersion,
  findPartialSubscribersVersion,
  findSubscribersVersion,
  listSubscribersAsJson,
  type PartialView,
} from './versions.sql';

interface VersionedList<Content> {
  version: string;
  /** Null: the known version is current. */
  content: Content | null;
}

/** A list and its version, as of one moment; only the version is read, by one statement, while the known one is current. */
export async function readUnlessKnown<Content>(
  db: Context['db'],
  knownVersion: string,
  { findVersion, load }: { findVersion(sql: Sql): Promise<string>; load(sql: Sql): Promise<Content> },
): Promise<VersionedList<Content>> {
  if (knownVersion !== '' && (await findVersion(db)) === knownVersion) return { version: knownVersion, content: null };
  const { result } = await db.readAtOnce(async (sql) => ({
    version: await findVersion(sql),
    content: await load(sql),
  }));
  return result;
}

const MAX_BYTES = 128 * 1024 * 1024;
/** Approximate size of a channel with its settings. */
const CHANNEL_BYTES = 6 * 1024;

interface VersionedChannels {
  version: string;
  /** Every channel, by id; the caller checks which ones a user may see. */
  channels: readonly Channel[];
}

/** `sql`: to read in the same snapshot as other data; `version`: the channels' in that snapshot, if it is known. */
export type ChannelsOf = (realmId: number, snapshot?: { sql: Sql; version?: string }) => Promise<VersionedChannels>;

/** The present channels of organizations, cached until anything changes. */
export function channelReader({ db, clock }: Context): ChannelsOf {
  const memory = new VersionedMemory<VersionedChannels>(clock, MAX_BYTES);
  const recall = async (sql: Sql, realmId: number, version?: string) => {
    const known = memory.recall(String(realmId));
    return known?.version === (version ?? (await findChannelsVersion(sql, realmId))) ? known.value : null;
  };
  const load = async (sql: Sql, realmId: number) => {
    const found = { version: await findChannelsVersion(sql, realmId), channels: await loadChannels(sql, realmId) };
    memory.keep(String(realmId), found.version, found, found.channels.length * CHANNEL_BYTES);
    return found;
  };
  const readNow = async (realmId: number) =>
    (await recall(db, realmId)) ?? (await db.readAtOnce((sql) => load(sql, realmId))).result;
  const readShared = shareLoads(readNow, Number);
  return async (realmId, snapshot) => {
    if (!snapshot) return readShared(realmId);
    const { sql, version } = snapshot;
    return (await recall(sql, realmId, version)) ?? load(sql, realmId);
  };
}

/** All groups of the organization, as JSON; every user may know of them. */
export async function getGroupList(
  ctx: Context,
  { realmId }: Caller,
  { includesDeactivated, knownVersion }: GetGroupListRequest,
): Promise<GroupList> {
  const nowMs = ctx.clock.now();
  const { version, content: rows } = await readUnlessKnown(ctx.db, knownVersion, {
    findVersion: (sql) => findGroupListVersion(sql, realmId, nowMs),
    load: (sql) => selectGroups(sql, realmId, nowMs),
  });
  if (rows === null) return { version, isKnown: true, groups: Buffer.alloc(0) };
  const groups = toGroups(rows);
  const shown = groups.filter(({ isDeactivated }) => includesDeactivated || !isDeactivated);
  return { version, isKnown: false, groups: Buffer.from(JSON.stringify(shown.map(publicGroup))) };
}

/** Every channel of the organization, as JSON; visibility is not checked here. Empty when the caller's version is current. */
export async function getChannelObjects(
  channelsOf: ChannelsOf,
  { realmId, deadlineAt }: Caller,
  { knownVersion }: GetChannelObjectsRequest,
): Promise<ChannelObjects> {
  const { version, channels } = await channelsOf(realmId);
  if (version === knownVersion) return { version, isKnown: true, channels: [] };
  const slices = new Slices(deadlineAt);
  const objects: ChannelObject[] = [];
  for (const channel of channels) {
    await slices.pause();
    objects.push(toObject(channel));
  }
  return { version, isKnown: false, channels: objects };
}

function toObject(channel: Channel): ChannelObject {
  const { first_message_id: _id, ...known } = publicChannel(channel);
  const { id, isArchived } = channel;
  return { id, isArchived, json: Buffer.from(JSON.stringify(known)) };
}

/** Larger channels have part of their subscribers in partial lists. */
const MAX_SUBSCRIBERS_IN_FULL = 1_000;
const DAY_MS = 24 * 3600_000;
/** Partial lists contain users active since the start of the day this many days ago, so they change at midnight only. */
const RECENT_DAYS = 14;
const EVERYBODY: PartialView = { maxSubscribersInFull: Number.MAX_SAFE_INTEGER, presentSinceMs: 0 };

/** Subscribers of each channel, as JSON; empty when the caller's version is current. */
export async function getSubscriberLists(
  ctx: Context,
  { realmId }: Caller,
  { knownVersion, isPartial }: GetSubscriberListsRequest,
): Promise<SubscriberLists> {
  const view: PartialView = isPartial
    ? { maxSubscribersInFull: MAX_SUBSCRIBERS_IN_FULL, presentSinceMs: partialSince(ctx.clock.now()) }
    : EVERYBODY;
  const { version, content: lists } = await readUnlessKnown(ctx.db, knownVersion, {
    findVersion: (sql) =>
      isPartial
        ? findPartialSubscribersVersion(sql, realmId, view.presentSinceMs)
        : findSubscribersVersion(sql, realmId),
    load: (sql) => listSubscribersAsJson(sql, realmId, view),
  });
  if (lists === null) return { version, isKnown: true, lists: [] };
  return {
    version,
    isKnown: false,
    lists: lists.map((list) => ({ ...list, userIds: Buffer.from(list.userIds) })),
  };
}

/** Partial lists contain users active since this time. */
export function partialSince(nowMs: number): number {
  return (Math.floor(nowMs / DAY_MS) - RECENT_DAYS) * DAY_MS;
}
