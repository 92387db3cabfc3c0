import type { ChannelReadFacts } from '@parley/shared/proto';
import type { Reader } from '../messages/permissions';

/** Messages in a channel can be unread for whoever is in it, unless it is archived. */
export function isCounted(channel: ChannelReadFacts | undefined): boolean {
  return channel?.isSubscribed === true && !channel.isArchived;
}

/** Since which subscription version the reader has received a channel's messages without a break; null: they do not. */
export function receivesSince(channel: ChannelReadFacts | undefined): number | null {
  const last = channel?.isSubscribed ? channel.intervals.at(-1) : undefined;
  return last && last.toVersion === undefined ? last.fromVersion : null;
}

/** The channels in which messages can be unread. */
export function countedChannelIds({ channels }: Reader): number[] {
  return [...channels.values()].filter(isCounted).map(({ channelId }) => channelId);
}
