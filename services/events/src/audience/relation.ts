import type { OwnFlags } from '@parley/shared/events';
import type { PersonalFlags } from '@parley/shared/proto';
import type { Context } from '../context';
import type { ChannelSubscribers } from './channel-subscribers';
import type { Copy, KnownSubscribers, Relation, ResolvedAudience } from './resolved-audience';
import type { Subscribers } from './subscribers';

/**
 * A user's relation to an event; undefined if the subscribers of its channels must be fetched first. `fetched`: those fetched for
 * it.
 */
export function relationTo(
  subscribers: Subscribers,
  realmId: number,
  userId: number,
  audience: ResolvedAudience,
  fetched?: KnownSubscribers,
): Relation | undefined {
  return audience.relationOf(userId, fetched ?? findSubscribers(subscribers, realmId, audience));
}

/** Fetches the missing subscribers of the channels that determine an event's audience. */
export async function fetchSubscribers(
  { subscribers }: Pick<Context, 'subscribers'>,
  realmId: number,
  { channels }: ResolvedAudience,
): Promise<Exclude<KnownSubscribers, undefined>> {
  const found: ChannelSubscribers[] = [];
  for (const { channelId, version } of channels)
    found.push(subscribers.find(realmId, channelId, version) ?? (await subscribers.load(realmId, channelId, version)));
  return found;
}

function findSubscribers(subscribers: Subscribers, realmId: number, { channels }: ResolvedAudience): KnownSubscribers {
  const found: ChannelSubscribers[] = [];
  for (const { channelId, version } of channels) {
    const channel = subscribers.find(realmId, channelId, version);
    if (channel === undefined) return undefined;
    found.push(channel);
  }
  return found;
}

/** A user's copy of the message of an event; called after their relation to it is known. */
export function copyTo(
  subscribers: Subscribers,
  realmId: number,
  userId: number,
  audience: ResolvedAudience,
  fetched?: KnownSubscribers,
): Copy {
  return audience.copyOf(userId, fetched ?? findSubscribers(subscribers, realmId, audience));
}

/** A user's own flags on a message, as far as their subscriptions allow. GET /messages gives the same flags (`isRead` of messages). */
export function flagsOnCopy(own: PersonalFlags, { isReceived, isThere, isLasting }: Copy): OwnFlags {
  const isUnread = isThere && (own.isMarkedUnread === true || (isLasting && !own.isRead));
  return { ...own, isRead: !isUnread, isReceived: isReceived || own.isCalled === true };
}
