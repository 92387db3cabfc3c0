import type { Audience } from '@parley/shared/events';
import type { Channel } from '@parley/shared/proto';
import type { ChangedChannel } from './subscription-events';
import type { VersionRaised } from './subscription-versions.sql';

/** The channels as they are after the change; `added`: subscribers for each user of the change, since the channel was loaded. */
export function changedChannels(
  channels: readonly Channel[],
  audiences: ReadonlyMap<number, Audience>,
  changes: readonly VersionRaised[],
  added: 0 | 1,
): ChangedChannel[] {
  const byId = new Map(channels.map((channel) => [channel.id, channel]));
  return changes.map((change) => {
    const { channelId, version, userIds } = change;
    const before = byId.get(channelId) as Channel;
    const subscriberCount = before.subscriberCount + added * userIds.length;
    const channel = { ...before, subscriptionVersion: version, subscriberCount };
    const audience = audiences.get(channelId) as Audience;
    return { channel, change, audience: audience.to === 'subscribers' ? { ...audience, version } : audience };
  });
}
