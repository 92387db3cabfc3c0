import { type Channel, read } from './model';
import { isAmong } from './rights';

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

export function maySetTopicsPolicy(channel: Channel): boolean {
  return mayAdminister(channel) && isAmong(read('settings').realm_can_set_topics_policy_group);
}

/** Only owners change the retention period. */
export function maySetRetention(): boolean {
  return read('settings').is_owner;
}
