import { announce, type ConsumedEvent } from '@parley/shared/bus';
import type { Sql } from '@parley/shared/db';
import { type Audience, type ChannelBeginningChanged, channelFirstMessageTold } from '@parley/shared/events';
import type { Channel } from '@parley/shared/proto';
import { memoized } from '@parley/shared/values';
import type { Context } from '../context';
import { holdRealm } from '../organization/realms.sql';
import { listUnsubscribedGuests, listUnsubscribedViewers } from './channel-visibility.sql';
import { loadChannels, lockBareChannels } from './channels.sql';

/**
 * The users who may see the channel in its present state: the audience of events in the same transaction, which must have locked the
 * channel's row, and the organization (holdRealm, lockRealm), since roles and new accounts decide as well.
 */
export async function channelAudience(sql: Sql, realmId: number, channelId: number, nowMs: number): Promise<Audience> {
  const [channel] = await loadChannels(sql, realmId, [channelId]);
  if (!channel) throw new Error(`organization ${realmId} has no channel ${channelId}`);
  return audienceOf(sql, realmId, channel, nowMs);
}

/** The audience of a loaded channel. */
export async function audienceOf(sql: Sql, realmId: number, channel: Channel, nowMs: number): Promise<Audience> {
  const audiences = await audiencesOf(sql, realmId, [channel], nowMs);
  return audiences.get(channel.id) as Audience;
}

/** The audiences of many channels, by id, in the same number of statements. Channels that the same guests cannot see share an object. */
export async function audiencesOf(
  sql: Sql,
  realmId: number,
  channels: readonly Channel[],
  nowMs: number,
): Promise<Map<number, Audience>> {
  const openIds = channels.filter(isOpen).map(({ id }) => id);
  const closedIds = channels.filter(({ isPrivate }) => isPrivate).map(({ id }) => id);
  const guests = openIds.length === 0 ? [] : await listUnsubscribedGuests(sql, realmId, openIds);
  const viewers = closedIds.length === 0 ? [] : await listUnsubscribedViewers(sql, realmId, closedIds, nowMs);
  const userIdsOf = new Map([...guests, ...viewers].map(({ channelId, userIds }) => [channelId, userIds]));
  const realmWithout = memoized((exceptIds: number[]): Audience => ({ to: 'realm', exceptIds }));
  return new Map(
    channels.map((channel) => {
      const userIds = userIdsOf.get(channel.id) ?? NOBODY;
      return [channel.id, isOpen(channel) ? realmWithout(userIds) : audienceWith(channel, userIds)];
    }),
  );
}

const NOBODY: number[] = [];

/** Whether all but guests may see the channel. */
function isOpen({ isPrivate, isWebPublic }: Channel): boolean {
  return !isPrivate && !isWebPublic;
}

/** `viewerIds`: the unsubscribed users who may see a private channel. */
function audienceWith({ id, isWebPublic, subscriptionVersion }: Channel, viewerIds: number[]): Audience {
  if (isWebPublic) return { to: 'realm' };
  return { to: 'subscribers', channelId: id, version: subscriptionVersion, isPublic: false, alsoIds: viewerIds };
}

/** Announces changed first messages of channels to all who may see them. Called with events of one organization. */
export async function announceFirstMessages(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  events: readonly ConsumedEvent<ChannelBeginningChanged>[],
): Promise<void> {
  const [first] = events;
  if (first === undefined) return;
  const { realmId } = first;
  const channelIds = [...new Set(events.map(({ payload }) => payload.channel.id))];
  await db.transaction(async (tx) => {
    await holdRealm(tx, realmId);
    // Locked: users to whom a channel appears meanwhile get the new value with it.
    const channels = await lockBareChannels(tx, realmId, channelIds);
    const audiences = await audiencesOf(tx, realmId, channels, clock.now());
    const firstMessageEvents = channels.map(({ id: channelId, name, isArchived }) =>
      channelFirstMessageTold(realmId, { channelId, name, isArchived, audience: audiences.get(channelId) as Audience }),
    );
    await announce(tx, ...firstMessageEvents);
  });
}
