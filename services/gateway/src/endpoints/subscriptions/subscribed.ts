import type { SubscribeResponse, UserChannels } from '@parley/shared/proto';
import { z } from 'zod';

const channelNamesByUserId = z.record(z.string(), z.array(z.string()));

export const subscribedShape = {
  subscribed: channelNamesByUserId,
  already_subscribed: channelNamesByUserId,
};

/** Who was subscribed to what. */
export function publicSubscribed({ subscribed, alreadySubscribed }: SubscribeResponse) {
  return { subscribed: byUserId(subscribed), already_subscribed: byUserId(alreadySubscribed) };
}

function byUserId(list: UserChannels[]): Record<string, string[]> {
  return Object.fromEntries(list.map(({ userId, channelNames }) => [String(userId), channelNames]));
}
