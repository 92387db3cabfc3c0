import type { Audience } from '@parley/shared/events';
import type { Subscribers } from './subscribers';

/** What a user is to an event: it is for them; wide queues of theirs may hear it; it is none of their business. */
export type Relation = 'receiver' | 'listener' | 'stranger';

export interface ChannelVersion {
  channelId: number;
  version: number;
}

/** A user's relation to an event, or what has to be known of a channel to say it. */
export function relationTo(
  subscribers: Subscribers,
  realmId: number,
  userId: number,
  audience: Audience,
): Relation | ChannelVersion {
  if (audience.to === 'realm') return 'receiver';
  if (audience.to === 'users') return audience.userIds.includes(userId) ? 'receiver' : 'stranger';
  const { channelId, version, isPublic } = audience;
  const channel = subscribers.find(realmId, channelId, version);
  if (channel === undefined) return { channelId, version };
  if (channel.wasSubscribed(userId, version)) return 'receiver';
  return isPublic ? 'listener' : 'stranger';
}
