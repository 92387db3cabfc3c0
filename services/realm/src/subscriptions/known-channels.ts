import type { Channel, KnownChannel, KnownChannels } from '@parley/shared/proto';
import type { Actor } from '../actors/actor';
import { viewerOf } from '../channel-access/access-channel';
import { hasMetadataAccess } from '../channel-access/permissions';
import type { Properties } from './subscriptions.sql';

/** A user's subscriptions, past or present, with the same properties. */
export interface AlikeSubscriptions {
  channelIds: number[];
  isSubscribed: boolean;
  properties: Properties;
}

/** Those of the channels (by id) that the user may see, by what the user's subscriptions are like. */
export function knownChannels(
  channels: readonly Channel[],
  actor: Actor,
  subscriptions: readonly AlikeSubscriptions[],
): KnownChannels[] {
  const never: KnownChannels = { channelIds: [], isSubscribed: false };
  const groups = [never];
  const groupOf = new Map<number, KnownChannels>();
  for (const { channelIds, isSubscribed, properties } of subscriptions) {
    const group = { channelIds: [], isSubscribed, subscription: { channel: null, ...properties } };
    groups.push(group);
    for (const id of channelIds) groupOf.set(id, group);
  }
  for (const channel of channels) {
    const group = groupOf.get(channel.id) ?? never;
    const isKnown = hasMetadataAccess(channel, viewerOf(actor, channel, group.isSubscribed));
    if (isKnown) group.channelIds.push(channel.id);
  }
  return groups.filter(({ channelIds }) => channelIds.length > 0);
}

/** COMPAT: the same by id, for gateways of the previous version. */
export function ungrouped(groups: readonly KnownChannels[]): KnownChannel[] {
  const known = groups.flatMap(({ channelIds, ...group }) => channelIds.map((channelId) => ({ channelId, ...group })));
  return known.sort((a, b) => a.channelId - b.channelId);
}
