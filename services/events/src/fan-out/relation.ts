import type { ChannelVersion, Reach, Relation } from './reach';
import type { Subscribers } from './subscribers';

/** A user's relation to an event, or what has to be known of a channel to say it. */
export function relationTo(
  subscribers: Subscribers,
  realmId: number,
  userId: number,
  reach: Reach,
): Relation | ChannelVersion {
  const { channel } = reach;
  const known = channel && subscribers.find(realmId, channel.channelId, channel.version);
  return reach.relationOf(userId, known) ?? (channel as ChannelVersion);
}
