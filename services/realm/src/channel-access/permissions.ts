import type { ChannelPermissionName } from '@parley/shared/access';
import type { Channel } from '@parley/shared/proto';
import { isAdministrator, isGuest } from '@parley/shared/values';

/** Somebody active, as far as rights in one channel go. */
export interface Viewer {
  role: number;
  isSubscribed: boolean;
  /** The channel's settings whose groups they are in. Only some decide here: the others need not be told. */
  holds: ReadonlySet<ChannelPermissionName>;
}

export type ChannelKind = Pick<Channel, 'isPrivate' | 'isWebPublic' | 'isHistoryPublic'>;

/** Users named by these settings may know of the channel. */
export const METADATA_SETTINGS = [
  'can_add_subscribers_group',
  'can_administer_channel_group',
  'can_subscribe_group',
] as const satisfies readonly ChannelPermissionName[];

export type MetadataSetting = (typeof METADATA_SETTINGS)[number];

/** Where it was never set, the channel's creator has it. */
export const CREATOR_SETTING = 'can_administer_channel_group' satisfies MetadataSetting;

/** Users named by these settings may read the channel. */
export const CONTENT_SETTINGS = [
  'can_add_subscribers_group',
  'can_subscribe_group',
] as const satisfies readonly ChannelPermissionName[];

/** May the viewer know that the channel exists, its name, settings and subscribers? Guests must be subscribed. */
export function hasMetadataAccess(channel: ChannelKind, viewer: Viewer): boolean {
  if (channel.isWebPublic || viewer.isSubscribed) return true;
  if (isGuest(viewer.role)) return false;
  return !channel.isPrivate || isAdministrator(viewer.role) || METADATA_SETTINGS.some((name) => viewer.holds.has(name));
}

/** May the viewer read messages? Those who merely administer a private channel, or everything, may not. */
export function hasContentAccess(channel: ChannelKind, viewer: Viewer): boolean {
  if (channel.isWebPublic || viewer.isSubscribed) return true;
  if (isGuest(viewer.role)) return false;
  return !channel.isPrivate || CONTENT_SETTINGS.some((name) => viewer.holds.has(name));
}

/** May the viewer read what was sent before, or outside of, their own subscription? */
export function mayReadHistory(channel: ChannelKind, viewer: Viewer): boolean {
  return hasContentAccess(channel, viewer) && (channel.isHistoryPublic || channel.isWebPublic);
}

/** May the user subscribe themselves? Guests may not; they are subscribed by others. */
export function maySubscribe(channel: ChannelKind & Pick<Channel, 'isArchived'>, viewer: Viewer): boolean {
  return !channel.isArchived && !isGuest(viewer.role) && hasContentAccess(channel, viewer);
}

/** May the user subscribe others? `mayAddAnywhere`: the organization lets them, in every channel that they may read. */
export function mayAddSubscribers(
  channel: ChannelKind & Pick<Channel, 'isArchived'>,
  viewer: Viewer,
  mayAddAnywhere: boolean,
): boolean {
  if (!maySubscribe(channel, viewer)) return false;
  return mayAddAnywhere || isAdministrator(viewer.role) || maySetSubscribers(viewer);
}

function maySetSubscribers({ holds }: Viewer): boolean {
  return holds.has('can_add_subscribers_group') || holds.has('can_administer_channel_group');
}

/** Leaving needs no right; this is about unsubscribing others than own bots. */
export function mayRemoveSubscribers(channel: ChannelKind, viewer: Viewer): boolean {
  if (mayAdminister(channel, viewer)) return true;
  return hasMetadataAccess(channel, viewer) && viewer.holds.has('can_remove_subscribers_group');
}

/** May the user rename, describe, archive the channel and change its settings? Administrators may, read it or not. */
export function mayAdminister(channel: ChannelKind, viewer: Viewer): boolean {
  if (isAdministrator(viewer.role)) return true;
  return hasMetadataAccess(channel, viewer) && viewer.holds.has('can_administer_channel_group');
}

/**
 * Is the channel close enough to post there, for whom can_send_message_group allows it? Where history is protected, a right to
 * join is not enough: who is not in would not see what they answer to. A bot may stand in for an owner who is in.
 */
export function isCloseEnoughToPost(channel: ChannelKind, sender: Viewer, isOwnerSubscribed: boolean): boolean {
  return sender.isSubscribed || isOwnerSubscribed || mayReadHistory(channel, sender);
}

/** May somebody post? For a bot its owner's right is as good as its own. Archived channels are closed to all. */
export function mayPost(
  channel: ChannelKind & Pick<Channel, 'isArchived'>,
  sender: Viewer,
  owner: Viewer | null,
): boolean {
  const isAllowed = [sender, owner].some((poster) => poster?.holds.has('can_send_message_group'));
  return !channel.isArchived && isAllowed && isCloseEnoughToPost(channel, sender, owner?.isSubscribed === true);
}
