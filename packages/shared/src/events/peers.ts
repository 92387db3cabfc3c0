import type { Audience } from './audience';

/** Users whose subscriptions to channels appear to others, or are gone for them. */
export interface Peers {
  channelIds: number[];
  userIds: number[];
  /** Everybody who sees the channels; the users themselves are left out of it. */
  audience: Audience;
}

export function audienceOfPeers({ userIds, audience }: Peers): Audience {
  if (audience.to !== 'users') return { ...audience, exceptIds: [...(audience.exceptIds ?? []), ...userIds] };
  const left = new Set(userIds);
  return { to: 'users', userIds: audience.userIds.filter((userId) => !left.has(userId)) };
}
