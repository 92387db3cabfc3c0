import { Slices } from '@parley/shared/batch';
import { announce } from '@parley/shared/bus';
import type { Sql, Transaction } from '@parley/shared/db';
import {
  type ChannelAppeared,
  channelAccessChanged,
  channelAppeared,
  channelVanished,
  type DomainEvent,
  peersAdded,
} from '@parley/shared/events';
import type { Channel } from '@parley/shared/proto';
import { groupBy, kinds } from '@parley/shared/values';
import {
  type ChannelVisibility,
  listSubscriberIds,
  listVisibility,
  type VisibilityScope,
} from './channel-visibility.sql';
import { loadChannels } from './channels.sql';
import {
  compareVisibility,
  type UsersByChannel,
  type VisibilityByUser,
  type VisibilityChange,
} from './visibility-difference';

/** The channels that the users may see now; inactive users see none. One statement. */
export async function loadVisibleChannelIds(
  sql: Sql,
  realmId: number,
  userIds: readonly number[],
  nowMs: number,
): Promise<Map<number, number[]>> {
  if (userIds.length === 0) return new Map();
  const rows = await listVisibility(sql, realmId, { userIds, channelIds: null }, nowMs);
  const seen = new Map(rows.map((row) => [row.userId, row.channelIds]));
  return new Map(userIds.map((userId) => [userId, seen.get(userId) ?? []]));
}

/**
 * Runs a change and announces its effect on the visibility of a scope's channels: to users for whom channels appeared or vanished, or
 * whose right to read changed. Returns the former by channel. `formerMs`: the time of the last announcement, for visibility that changes
 * with time alone.
 */
export async function watchVisibility(
  tx: Transaction,
  realmId: number,
  scope: VisibilityScope,
  nowMs: number,
  change: () => Promise<void>,
  formerMs = nowMs,
): Promise<VisibilityChange> {
  if (scope.channelIds?.length === 0 || scope.userIds?.length === 0) {
    await change();
    return { gained: new Map(), lost: new Map() };
  }
  const before = visibilityByUser(await listVisibility(tx, realmId, scope, formerMs));
  await change();
  const after = visibilityByUser(await listVisibility(tx, realmId, scope, nowMs));
  return announceDifference(tx, realmId, before, after);
}

function visibilityByUser(rows: readonly (ChannelVisibility & { userId: number })[]): VisibilityByUser {
  return new Map(rows.map((row) => [row.userId, row]));
}

async function announceDifference(
  tx: Transaction,
  realmId: number,
  before: VisibilityByUser,
  after: VisibilityByUser,
): Promise<VisibilityChange> {
  const { gained, lost } = await compareVisibility(before, after, 'channelIds');
  await announce(tx, ...(await accessEvents(realmId, before, after, { gained, lost })));
  const channelIds = [...new Set([...gained.keys(), ...lost.keys()])];
  if (channelIds.length === 0) return { gained, lost };
  const channels = await loadChannels(tx, realmId, channelIds);
  const subscribers = await listSubscriberIds(tx, realmId, [...gained.keys()]);
  const subscriberIdsOf = new Map(subscribers.map(({ channelId, userIds }) => [channelId, userIds]));
  const moves = (users: UsersByChannel): ChannelMove[] =>
    channels.flatMap((channel) => {
      const userIds = users.get(channel.id);
      return userIds ? [{ channel, userIds }] : [];
    });
  // The subscribers come in the next events, and clients add them to the channel's count.
  const uncounted = moves(gained).map((move) => ({ ...move, channel: { ...move.channel, subscriberCount: 0 } }));
  // One after the other: thousands of channels together would hold the event loop.
  await announce(tx, ...appearanceEvents(realmId, uncounted));
  await announce(tx, ...subscriberEvents(realmId, moves(gained), subscriberIdsOf));
  await announce(tx, ...disappearanceEvents(realmId, moves(lost)));
  return { gained, lost };
}

/** Channels with the same subscribers that appeared for the same users share an event. */
function subscriberEvents(
  realmId: number,
  moves: readonly ChannelMove[],
  subscriberIdsOf: ReadonlyMap<number, number[]>,
): DomainEvent[] {
  const watched = moves.filter(({ channel }) => subscriberIdsOf.has(channel.id));
  const kindOf = kinds();
  const alike = groupBy(
    watched,
    ({ channel, userIds }) => `${kindOf(userIds)} ${kindOf(subscriberIdsOf.get(channel.id))}`,
  );
  return [...alike.values()].map((group) => {
    const [{ channel, userIds }] = group as [ChannelMove];
    const channels = group.map((move) => move.channel);
    return peersAdded(realmId, {
      ...idsOf(channels),
      userIds: subscriberIdsOf.get(channel.id) as number[],
      audience: { to: 'users', userIds },
    });
  });
}

/** For users who still see a channel, but may read more or less of it. */
async function accessEvents(
  realmId: number,
  before: VisibilityByUser,
  after: VisibilityByUser,
  { gained, lost }: VisibilityChange,
): Promise<DomainEvent[]> {
  const content = await compareVisibility(before, after, 'keptIds');
  const history = await compareVisibility(before, after, 'rememberedIds');
  return [
    ...(await accessEventsOf(realmId, 'content', content, [gained, lost])),
    ...(await accessEventsOf(realmId, 'history', history, [gained, lost, content.gained, content.lost])),
  ];
}

/** `notified`: users who know by another event. */
async function accessEventsOf(
  realmId: number,
  of: 'content' | 'history',
  change: VisibilityChange,
  notified: readonly UsersByChannel[],
): Promise<DomainEvent[]> {
  const slices = new Slices(Number.POSITIVE_INFINITY);
  const events: DomainEvent[] = [];
  for (const channelId of new Set([...change.gained.keys(), ...change.lost.keys()])) {
    await slices.pause();
    const notifiedIds = new Set(notified.flatMap((users) => users.get(channelId) ?? []));
    const notNotified = (users: UsersByChannel) => (users.get(channelId) ?? []).filter((id) => !notifiedIds.has(id));
    const [gainedIds, lostIds] = [notNotified(change.gained), notNotified(change.lost)];
    if (gainedIds.length + lostIds.length > 0)
      events.push(channelAccessChanged(realmId, { channelId, of, gainedIds, lostIds }));
  }
  return events;
}

/** Size of the channels in one event: some hundreds. Each service that reads it parses it at once. */
const MAX_BYTES = 512 * 1024;

/** A channel that appears for users, or vanishes for them. */
export interface ChannelMove {
  channel: Channel;
  userIds: number[];
}

/** Announces appearing channels; users with the same ones share an event. */
export function appearanceEvents(realmId: number, moves: readonly ChannelMove[]): DomainEvent[] {
  return together(moves).flatMap(({ channels, userIds }) =>
    jointAppearances(realmId, channels, { to: 'users', userIds }),
  );
}

/** Announces channels that appear to one audience; one event unless they are very many. */
export function jointAppearances(
  realmId: number,
  channels: readonly Channel[],
  audience: ChannelAppeared['audience'],
): DomainEvent[] {
  return inPieces(channels).map(([channel, ...others]) =>
    channelAppeared(realmId, { channel: channel as Channel, ...(others.length > 0 && { others }), audience }),
  );
}

/** Announces vanishing channels; users with the same ones share an event. */
export function disappearanceEvents(realmId: number, moves: readonly ChannelMove[]): DomainEvent[] {
  return together(moves).map(({ channels, userIds }) => {
    const [channel, ...others] = channels.map(({ id, isArchived }) => ({ channelId: id, isArchived }));
    return channelVanished(realmId, { ...(channel as NonNullable<typeof channel>), others, userIds });
  });
}

/** The channels' ids in events about subscribers. */
export function idsOf(channels: readonly Channel[]): { channelIds: number[]; archivedIds?: number[] } {
  const archivedIds = channels.filter(({ isArchived }) => isArchived).map(({ id }) => id);
  return { channelIds: channels.map(({ id }) => id), ...(archivedIds.length > 0 && { archivedIds }) };
}

function together(moves: readonly ChannelMove[]): { channels: Channel[]; userIds: number[] }[] {
  const present = moves.filter(({ userIds }) => userIds.length > 0);
  const kindOf = kinds();
  return [...groupBy(present, ({ userIds }) => kindOf(userIds)).values()].map((group) => ({
    channels: group.map(({ channel }) => channel),
    userIds: (group[0] as ChannelMove).userIds,
  }));
}

function inPieces(channels: readonly Channel[]): Channel[][] {
  const pieces: Channel[][] = [];
  let bytes = 0;
  for (const channel of channels) {
    const added = Buffer.byteLength(JSON.stringify(channel));
    const piece = pieces.at(-1);
    if (piece && bytes + added <= MAX_BYTES) {
      piece.push(channel);
      bytes += added;
    } else {
      pieces.push([channel]);
      bytes = added;
    }
  }
  return pieces;
}
