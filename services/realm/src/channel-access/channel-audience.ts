import { announce, type ConsumedEvent } from '@parley/shared/bus';
import type { Sql } from '@parley/shared/db';
import { type Audience, type ChannelBeginningChanged, channelFirstMessageTold } from '@parley/shared/events';
import type { Channel } from '@parley/shared/proto';
import type { Context } from '../context';
import { listUnsubscribedGuests, listUnsubscribedViewers } from './channel-visibility.sql';
import { loadChannels, lockChannelsByIds } from './channels.sql';

/**
 * Everybody who may know of the channel as it is now. For whatever is announced of it in the same transaction, which must hold the
 * channel's row.
 */
export async function channelAudience(sql: Sql, realmId: number, channelId: number, nowMs: number): Promise<Audience> {
  const [channel] = await loadChannels(sql, realmId, [channelId]);
  if (!channel) throw new Error(`organization ${realmId} has no channel ${channelId}`);
  return audienceOf(sql, realmId, channel, nowMs);
}

/** The same of a channel that the caller has loaded. */
export async function audienceOf(sql: Sql, realmId: number, channel: Channel, nowMs: number): Promise<Audience> {
  const audiences = await audiencesOf(sql, realmId, [channel], nowMs);
  return audiences.get(channel.id) as Audience;
}

/** The same of any number of channels, by their ids, in as many statements. */
export async function audiencesOf(
  sql: Sql,
  realmId: number,
  channels: readonly Channel[],
  nowMs: number,
): Promise<Map<number, Audience>> {
  const openIds = channels.filter(({ isPrivate, isWebPublic }) => !isPrivate && !isWebPublic).map(({ id }) => id);
  const closedIds = channels.filter(({ isPrivate }) => isPrivate).map(({ id }) => id);
  const guests = openIds.length === 0 ? [] : await listUnsubscribedGuests(sql, realmId, openIds);
  const viewers = closedIds.length === 0 ? [] : await listUnsubscribedViewers(sql, realmId, closedIds, nowMs);
  const userIdsOf = new Map([...guests, ...viewers].map(({ channelId, userIds }) => [channelId, userIds]));
  return new Map(channels.map((channel) => [channel.id, audienceWith(channel, userIdsOf.get(channel.id) ?? [])]));
}

/** `userIds`: of public channels the guests outside, of private ones those who may know of it although they are not in it. */
function audienceWith({ id, isPrivate, isWebPublic, subscriptionVersion }: Channel, userIds: number[]): Audience {
  if (isWebPublic) return { to: 'realm' };
  if (!isPrivate) return { to: 'realm', exceptIds: userIds };
  return { to: 'subscribers', channelId: id, version: subscriptionVersion, isPublic: false, alsoIds: userIds };
}

/** Channels begin with another message than before: all who may know of them are told. Called with events of one organization. */
export async function tellFirstMessages(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  events: readonly ConsumedEvent<ChannelBeginningChanged>[],
): Promise<void> {
  const [first] = events;
  if (first === undefined) return;
  const { realmId } = first;
  const channelIds = [...new Set(events.map(({ payload }) => payload.channel.id))];
  await db.transaction(async (tx) => {
    // Held: to whom a channel appears meanwhile is told with it.
    const channels = await lockChannelsByIds(tx, realmId, channelIds);
    const audiences = await audiencesOf(tx, realmId, channels, clock.now());
    const told = channels.map(({ id: channelId, name, isArchived }) =>
      channelFirstMessageTold(realmId, { channelId, name, isArchived, audience: audiences.get(channelId) as Audience }),
    );
    await announce(tx, ...told);
  });
}
