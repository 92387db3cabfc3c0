import { announce } from '@parley/shared/bus';
import type { Sql, Transaction } from '@parley/shared/db';
import { channelAccessChanged, type DomainEvent, peersAdded } from '@parley/shared/events';
import { groupBy } from '@parley/shared/values';
import { appearanceEvents, type ChannelMove, disappearanceEvents, idsOf } from './channel-moves';
import { listSight, listSubscriberIds, type Sight, type SightScope } from './channel-sight.sql';
import { loadChannels } from './channels.sql';

/** What each user may do with which channels, archived ones included. */
type Sights = ReadonlyMap<number, Sight>;

/** Which channels the users may know of now; those who are not active know of none. One statement. */
export async function loadVisibleChannelIds(
  sql: Sql,
  realmId: number,
  userIds: readonly number[],
  nowMs: number,
): Promise<Map<number, number[]>> {
  if (userIds.length === 0) return new Map();
  const rows = await listSight(sql, realmId, { userIds, channelIds: null }, nowMs);
  const seen = new Map(rows.map((row) => [row.userId, row.channelIds]));
  return new Map(userIds.map((userId) => [userId, seen.get(userId) ?? []]));
}

/**
 * Does what may change who knows of the channels of a scope, and tells those for whom they appeared or vanished, or whose right to read
 * them is another one. The answer: for whom they appeared or vanished, by channel. `formerMs`: the time of what they have been told until now, where its passing alone changes something.
 */
export async function watchSight(
  tx: Transaction,
  realmId: number,
  scope: SightScope,
  nowMs: number,
  change: () => Promise<void>,
  formerMs = nowMs,
): Promise<SightChange> {
  if (scope.channelIds?.length === 0 || scope.userIds?.length === 0) {
    await change();
    return { gained: new Map(), lost: new Map() };
  }
  const before = toSight(await listSight(tx, realmId, scope, formerMs));
  await change();
  const after = toSight(await listSight(tx, realmId, scope, nowMs));
  return announceDifference(tx, realmId, before, after);
}

function toSight(rows: readonly (Sight & { userId: number })[]): Sights {
  return new Map(rows.map((row) => [row.userId, row]));
}

type UsersByChannel = Map<number, number[]>;

export interface SightChange {
  gained: UsersByChannel;
  lost: UsersByChannel;
}

async function announceDifference(
  tx: Transaction,
  realmId: number,
  before: Sights,
  after: Sights,
): Promise<SightChange> {
  const [gained, lost] = [difference(after, before, 'channelIds'), difference(before, after, 'channelIds')];
  await announce(tx, ...accessEvents(realmId, before, after, { gained, lost }));
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
  // The subscribers follow, and clients add them to the number that they got with the channel.
  const uncounted = moves(gained).map((move) => ({ ...move, channel: { ...move.channel, subscriberCount: 0 } }));
  await announce(
    tx,
    ...appearanceEvents(realmId, uncounted),
    ...subscriberEvents(realmId, moves(gained), subscriberIdsOf),
    ...disappearanceEvents(realmId, moves(lost)),
  );
  return { gained, lost };
}

/** Channels with the same subscribers that appeared for the same users share an event. */
function subscriberEvents(
  realmId: number,
  moves: readonly ChannelMove[],
  subscriberIdsOf: ReadonlyMap<number, number[]>,
): DomainEvent[] {
  const watched = moves.filter(({ channel }) => subscriberIdsOf.has(channel.id));
  const alike = groupBy(watched, ({ channel, userIds }) => JSON.stringify([userIds, subscriberIdsOf.get(channel.id)]));
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

/** Who has a channel in the first sight but not in the second, by channel. */
function difference(sight: Sights, other: Sights, level: keyof Sight): UsersByChannel {
  const users: UsersByChannel = new Map();
  for (const [userId, { [level]: channelIds }] of sight) {
    const known = new Set(other.get(userId)?.[level] ?? []);
    for (const channelId of channelIds) {
      if (known.has(channelId)) continue;
      const list = users.get(channelId);
      if (list) list.push(userId);
      else users.set(channelId, [userId]);
    }
  }
  return users;
}

/** Of those who know of a channel as before, but may read more or less of it. */
function accessEvents(realmId: number, before: Sights, after: Sights, { gained, lost }: SightChange): DomainEvent[] {
  const content = { gained: difference(after, before, 'keptIds'), lost: difference(before, after, 'keptIds') };
  const history = {
    gained: difference(after, before, 'rememberedIds'),
    lost: difference(before, after, 'rememberedIds'),
  };
  const tell = (of: 'content' | 'history', change: SightChange, told: readonly UsersByChannel[]) =>
    [...new Set([...change.gained.keys(), ...change.lost.keys()])].flatMap((channelId) => {
      const toldIds = new Set(told.flatMap((users) => users.get(channelId) ?? []));
      const untold = (users: UsersByChannel) => (users.get(channelId) ?? []).filter((id) => !toldIds.has(id));
      const [gainedIds, lostIds] = [untold(change.gained), untold(change.lost)];
      if (gainedIds.length + lostIds.length === 0) return [];
      return [channelAccessChanged(realmId, { channelId, of, gainedIds, lostIds })];
    });
  return [
    ...tell('content', content, [gained, lost]),
    ...tell('history', history, [gained, lost, content.gained, content.lost]),
  ];
}
