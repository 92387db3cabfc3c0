import type { ChannelSubscribers } from './channel-subscribers';
import type { ChannelVersion, Reach, Relation } from './reach';
import type { Subscribers } from './subscribers';

/** A user's relation to an event, or what has to be known of a channel to say it. */
export function relationTo(
  subscribers: Subscribers,
  realmId: number,
  userId: number,
  reach: Reach,
): Relation | ChannelVersion {
  const known: ChannelSubscribers[] = [];
  for (const channel of reach.channels) {
    const found = subscribers.find(realmId, channel.channelId, channel.version);
    if (found === undefined) return reach.relationOf(userId, undefined) ?? channel;
    known.push(found);
  }
  return reach.relationOf(userId, known) as Relation;
}
