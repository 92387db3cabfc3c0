import type { ChannelPermissionName } from '@parley/shared/access';
import type { Channel } from '@parley/shared/proto';
import { isAdministrator, isGuest } from '@parley/shared/values';

/** An active user, with the facts that decide on rights in one channel. */
export interface Viewer {
  role: number;
  isSubscribed: boolean;
  /** The channel's settings whose groups include the user; only those that a rule needs. */
  holds: ReadonlySet<ChannelPermissionName>;
}

export type ChannelKind = Pick<Channel, 'isPrivate' | 'isWebPublic' | 'isHistoryPublic'>;

/** Users in these settings may see the channel. */
export const METADATA_SETTINGS = [
  'can_add_subscribers_group',
  'can_administer_channel_group',
  'can_subscribe_group',
] as const satisfies readonly ChannelPermissionName[];

export type MetadataSetting = (typeof METADATA_SETTINGS)[number];

/** Its default is the channel's creator. */
export const CREATOR_SETTING = 'can_administer_channel_group' satisfies MetadataSetting;

/** Users in these settings may read the channel. */
export const CONTENT_SETTINGS = [
  'can_add_subscribers_group',
  'can_subscribe_group',
] as const satisfies readonly ChannelPermissionName[];

/** Whether the viewer may see the channel, its name, settings and subscribers. Guests must be subscribed. */
export function hasMetadataAccess(channel: ChannelKind, viewer: Viewer): boolean {
  if (channel.isWebPublic || viewer.isSubscribed) return true;
  if (isGuest(viewer.role)) return false;
  return !channel.isPrivate || isAdministrator(viewer.role) || METADATA_SETTINGS.some((name) => viewer.holds.has(name));
}

/** Whether the viewer may read messages. The right to administer a private channel, or the organization, is not enough. */
export function hasContentAccess(channel: ChannelKind, viewer: Viewer): boolean {
  if (channel.isWebPublic || viewer.isSubscribed) return true;
  if (isGuest(viewer.role)) return false;
  return !channel.isPrivate || CONTENT_SETTINGS.some((name) => viewer.holds.has(name));
}

/** Whether the viewer may read messages from outside their own subscription. */
export function mayReadHistory(channel: ChannelKind, viewer: Viewer): boolean {
  return hasContentAccess(channel, viewer) && (channel.isHistoryPublic || channel.isWebPublic);
}

/** Whether the user may subscribe themselves. Guests may not; others subscribe them. */
export function maySubscribe(channel: ChannelKind & Pick<Channel, 'isArchived'>, viewer: Viewer): boolean {
  return !channel.isArchived && !isGuest(viewer.role) && hasContentAccess(channel, viewer);
}

/** Whether the user may subscribe others. `mayAddAnywhere`: the organization allows it in every channel they may read. */
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

/** Whether the user may unsubscribe others; leaving, also with own bots, needs no right. */
export function mayRemoveSubscribers(channel: ChannelKind, viewer: Viewer): boolean {
  if (mayAdminister(channel, viewer)) return true;
  return hasMetadataAccess(channel, viewer) && viewer.holds.has('can_remove_subscribers_group');
}

/**
 * Whether the user may rename, describe and archive the channel and change its settings. Administrators may, even without access to its
 * content.
 */
export function mayAdminister(channel: ChannelKind, viewer: Viewer): boolean {
  if (isAdministrator(viewer.role)) return true;
  return hasMetadataAccess(channel, viewer) && viewer.holds.has('can_administer_channel_group');
}

/**
 * Whether the user has enough access to post, apart from can_send_message_group. With protected history a right to join is not enough:
 * users outside would not see what they answer. A bot may post if its owner is subscribed.
 */
export function isCloseEnoughToPost(channel: ChannelKind, sender: Viewer, isOwnerSubscribed: boolean): boolean {
  return sender.isSubscribed || isOwnerSubscribed || mayReadHistory(channel, sender);
}

/** Whether the sender may post. A bot may also use its owner's right. Archived channels are closed to all. */
export function mayPost(
  channel: ChannelKind & Pick<Channel, 'isArchived'>,
  sender: Viewer,
  owner: Viewer | null,
): boolean {
  const isAllowed = [sender, owner].some((poster) => poster?.holds.has('can_send_message_group'));
  return !channel.isArchived && isAllowed && isCloseEnoughToPost(channel, sender, owner?.isSubscribed === true);
}
