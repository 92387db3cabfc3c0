import type { ChannelActivity } from '@parley/shared/proto';

/** The id of a channel's first message; null: it has none. */
export type FirstMessageOf = (channel: { id: number }) => number | null;

/** Tells it from what the messages service answered, which says nothing of channels without messages. */
export function firstMessagesOf(activities: readonly ChannelActivity[]): FirstMessageOf {
  const byChannel = new Map(activities.map(({ channelId, firstMessageId }) => [channelId, firstMessageId]));
  return ({ id }) => byChannel.get(id) ?? null;
}
