import { announce, type ConsumedEvent } from '@parley/shared/bus';
import {
  type ChannelAccessChanged,
  type ChannelAppeared,
  type ChannelVanished,
  causedBy,
  type EventCause,
  flagsChanged,
  type SubscriptionChanged,
} from '@parley/shared/events';
import type { ChannelReadFacts } from '@parley/shared/proto';
import { newCall } from '@parley/shared/rpc';
import type { Context } from '../context';
import { channelsOf, loadReader } from '../messages/load-reader';
import { hasReceived, type Reader } from '../messages/permissions';
import { listStarsIn, type StarredMessage } from './personal-flags.sql';

/*
 * Stars are hidden and shown with access to their messages, and clients are told. The stars themselves stay: they are shown again to
 * whoever comes back. What is told follows from the access of now, so a late or repeated event does no harm.
 */

interface StarChange {
  realmId: number;
  /** The change of access. */
  cause: EventCause | undefined;
  userIds: readonly number[];
  channelIds: readonly number[];
  /** Whether this event is the one to tell of it. */
  isTold(op: 'add' | 'remove', channel: ChannelReadFacts | undefined, message: StarredMessage): boolean;
}

/** Of whoever joins or leaves a private channel; who does not know of it any more is told by hideStars(). */
export async function showStarsOfSubscribers(
  ctx: Context,
  events: readonly ConsumedEvent<SubscriptionChanged>[],
): Promise<void> {
  for (const { realmId, cause, payload } of events) {
    const { channelId, subscribedIds, unsubscribedIds } = payload;
    const userIds = [...subscribedIds, ...unsubscribedIds];
    const isTold: StarChange['isTold'] = (op, channel) =>
      channel !== undefined && !channel.isPublic && (op === 'add' ? channel.isSubscribed : !channel.isHidden);
    await tellOfStars(ctx, { realmId, cause, userIds, channelIds: [channelId], isTold });
  }
}

export async function hideStars(ctx: Context, events: readonly ConsumedEvent<ChannelVanished>[]): Promise<void> {
  for (const { realmId, cause, payload } of events) {
    const { channelId, others = [], userIds } = payload;
    const channelIds = [channelId, ...others.map((other) => other.channelId)];
    await tellOfStars(ctx, { realmId, cause, userIds, channelIds, isTold: (op) => op === 'remove' });
  }
}

/** Of those who see a channel without having joined it: the others are told as subscribers. */
export async function showStars(ctx: Context, events: readonly ConsumedEvent<ChannelAppeared>[]): Promise<void> {
  for (const { realmId, cause, payload } of events) {
    const { channel, others = [], audience } = payload;
    if (audience.to !== 'users') continue;
    const channelIds = [channel, ...others].map(({ id }) => id);
    const isTold: StarChange['isTold'] = (op, seen) => op === 'add' && (seen?.isPublic === true || !seen?.isSubscribed);
    await tellOfStars(ctx, { realmId, cause, userIds: audience.userIds, channelIds, isTold });
  }
}

/** Of those who see a channel as before, but may read it no more, or again, or more or less of what they did not receive there. */
export async function showStarsByAccess(
  ctx: Context,
  events: readonly ConsumedEvent<ChannelAccessChanged>[],
): Promise<void> {
  for (const { realmId, cause, payload } of events) {
    const { channelId, of, gainedIds, lostIds } = payload;
    const isConcerned = (message: StarredMessage) =>
      of === 'content' || message.isHistorical || message.channelId !== message.sentChannelId;
    const isTold: (meant: string) => StarChange['isTold'] = (meant) => (op, _channel, message) =>
      op === meant && isConcerned(message);
    await tellOfStars(ctx, { realmId, cause, userIds: gainedIds, channelIds: [channelId], isTold: isTold('add') });
    await tellOfStars(ctx, { realmId, cause, userIds: lostIds, channelIds: [channelId], isTold: isTold('remove') });
  }
}

async function tellOfStars(ctx: Context, { realmId, cause, userIds, channelIds, isTold }: StarChange): Promise<void> {
  if (userIds.length === 0) return;
  const stars = await listStarsIn(ctx.db, realmId, channelIds, userIds);
  for (const [userId, messages] of stars) {
    const reader = await loadReader(ctx, { ...newCall(), realmId, userId }, channelsOf(messages));
    const told = messages.flatMap((message) => {
      const op = isShown(message, reader) ? 'add' : 'remove';
      return isTold(op, reader.channels.get(message.channelId), message) ? [{ op, id: message.id } as const] : [];
    });
    const idsOf = (wanted: string) => told.filter(({ op }) => op === wanted).map(({ id }) => id);
    const facts = (['remove', 'add'] as const).map((op) => ({ op, messageIds: idsOf(op) }));
    const changes = facts.filter(({ messageIds }) => messageIds.length > 0);
    if (changes.length === 0) continue;
    const events = changes.map((change) =>
      causedBy(cause, flagsChanged(realmId, { userId, flag: 'starred', isAll: false, ...change })),
    );
    await ctx.db.transaction((tx) => announce(tx, ...events));
  }
}

/** By the rule of the scope of what was received (scope.sql.ts). */
function isShown(message: StarredMessage, reader: Reader): boolean {
  const channel = reader.channels.get(message.channelId);
  return hasReceived(message, reader) || (message.isHistorical && channel?.mayReadHistory === true);
}
