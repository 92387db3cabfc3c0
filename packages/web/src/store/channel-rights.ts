import { type Channel, read } from './model';
import { isAmong, mayRead } from './rights';

/** Whether one may change what the channel is: no guest, whoever is named. */
export function mayAdminister(channel: Channel): boolean {
  const { is_admin: isAdmin, is_guest: isGuest } = read('settings');
  return isAdmin || (!isGuest && isAmong(channel.can_administer_channel_group));
}

/** Whether one may join by oneself: guests are added by others. */
export function mayJoin(channel: Channel): boolean {
  if (channel.is_archived || read('settings').is_guest) return false;
  return !channel.invite_only || isAmong(channel.can_subscribe_group);
}

/** Whether one may remove others. */
export function mayRemoveFrom(channel: Channel): boolean {
  return mayAdminister(channel) || isAmong(channel.can_remove_subscribers_group);
}

/** Only those who may read a channel give others access to its messages. */
const GIVING_ACCESS: ReadonlySet<string> = new Set(['can_add_subscribers_group', 'can_subscribe_group']);
const GIVING_DELETION: ReadonlySet<string> = new Set(['can_delete_any_message_group', 'can_delete_own_message_group']);

/** Whether one may give this permission in the channel. */
export function mayGive(permission: string, channel: Channel): boolean {
  if (!mayAdminister(channel) || channel.is_archived) return false;
  if (GIVING_ACCESS.has(permission)) return mayRead(channel);
  if (GIVING_DELETION.has(permission)) return isAmong(read('settings').realm_can_set_delete_message_policy_group);
  // Where members do not see what was before them, nobody knows which topics are new.
  const isProtected = channel.invite_only && !channel.history_public_to_subscribers;
  return permission !== 'can_create_topic_group' || !isProtected;
}

export function maySetTopicsPolicy(channel: Channel): boolean {
  return mayAdminister(channel) && isAmong(read('settings').realm_can_set_topics_policy_group);
}

/** Only owners change the retention period. */
export function maySetRetention(): boolean {
  return read('settings').is_owner;
}
