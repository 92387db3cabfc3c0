import type { Audience } from './audience';
import type { ClientView } from './declare-event';
import { missedIt, type Returning, seesChannel } from './knows-archived-channels';

/** Users whose subscriptions to channels appear to others, or are gone for them. */
export interface Peers extends Returning {
  channelIds: number[];
  /** Those of the channels that are archived; absent: none. */
  archivedIds?: number[];
  userIds: number[];
  /** Everybody who sees the channels; the users themselves are left out of it. */
  audience: Audience;
}

/** The channels that a client is told of; none: it does not get the event. */
export function shownChannelIds(peers: Peers, view: ClientView): number[] {
  if (!missedIt(peers, view)) return [];
  const archivedIds = new Set(peers.archivedIds);
  return peers.channelIds.filter((id) => seesChannel({ isArchived: archivedIds.has(id) }, view));
}

export function audienceOfPeers({ userIds, audience }: Peers): Audience {
  if (audience.to !== 'users') return { ...audience, exceptIds: [...(audience.exceptIds ?? []), ...userIds] };
  return { to: 'users', userIds: without(audience.userIds, userIds) };
}

/** Those of the users themselves who see the channels still, unless there is only one: they are told of the others. */
export function audienceOfOneAnother({ userIds, audience }: Peers): Audience {
  if (userIds.length < 2) return { to: 'users', userIds: [] };
  if (audience.to === 'realm') return { to: 'users', userIds: without(userIds, audience.exceptIds) };
  const named = new Set(audience.to === 'users' ? audience.userIds : without(audience.alsoIds, audience.exceptIds));
  return { to: 'users', userIds: userIds.filter((userId) => named.has(userId)) };
}

function without(userIds: readonly number[] = [], exceptIds: readonly number[] = []): number[] {
  const left = new Set(exceptIds);
  return userIds.filter((userId) => !left.has(userId));
}
