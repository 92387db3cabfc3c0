import type { Channel, ChannelActivity } from '@parley/shared/proto';
import type { ChannelActivity as ShownActivity } from '@parley/shared/wire';

/** Channels that are younger live, whether anybody has written yet or not. */
const RECENT_MS = 180 * 24 * 3600 * 1000;

/** What has happened in a channel, as answers tell it. */
export type ActivityOf = (channel: Pick<Channel, 'id' | 'createdAtMs'>) => ShownActivity;

/** Tells it from what the messages service answered, which says nothing of channels without messages. */
export function activitiesOf(activities: readonly ChannelActivity[], nowMs: number): ActivityOf {
  const byChannel = new Map(activities.map((activity) => [activity.channelId, activity]));
  return ({ id, createdAtMs }) =>
    byChannel.get(id) ?? { firstMessageId: null, isRecentlyActive: createdAtMs >= nowMs - RECENT_MS };
}
