import type { Channel, User } from '@parley/shared/proto';
import { isAdministrator, isGuest } from '@parley/shared/values';

/** Who looks, from where. */
export interface Viewer extends Pick<User, 'id' | 'role'> {
  isSubscribed: boolean;
}

export type ChannelKind = Pick<Channel, 'isPrivate' | 'isWebPublic' | 'isHistoryPublic' | 'creatorId'>;

/** May the viewer know that the channel exists, its name, settings and subscribers? Whoever administers it may. */
export function hasMetadataAccess(channel: ChannelKind, viewer: Viewer): boolean {
  if (channel.isWebPublic || viewer.isSubscribed) return true;
  if (isGuest(viewer.role)) return false;
  return !channel.isPrivate || isAdministrator(viewer.role) || channel.creatorId === viewer.id;
}

/** May the viewer read messages? Neither administrators nor the creator may read private channels they are not in. */
export function hasContentAccess(channel: ChannelKind, viewer: Omit<Viewer, 'id'>): boolean {
  if (channel.isWebPublic || viewer.isSubscribed) return true;
  return !isGuest(viewer.role) && !channel.isPrivate;
}

/** May the viewer read what was sent before, or outside of, their own subscription? */
export function mayReadHistory(channel: ChannelKind, viewer: Viewer): boolean {
  return hasContentAccess(channel, viewer) && (channel.isHistoryPublic || channel.isWebPublic);
}

/** May the user subscribe, themselves or others? Guests may neither; they are subscribed by others. */
export function maySubscribe(channel: ChannelKind & Pick<Channel, 'isArchived'>, viewer: Omit<Viewer, 'id'>): boolean {
  return !channel.isArchived && !isGuest(viewer.role) && hasContentAccess(channel, viewer);
}
