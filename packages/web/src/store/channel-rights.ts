import { type Channel, read } from './model';
import { isAmong } from './rights';

/** Whether one may change what the channel is. */
export function mayAdminister(channel: Channel): boolean {
  return read('settings').is_admin || isAmong(channel.can_administer_channel_group);
}

/** Whether one may join by oneself. */
export function mayJoin(channel: Channel): boolean {
  if (channel.is_archived) return false;
  if (isAmong(channel.can_subscribe_group)) return true;
  const { is_guest: isGuest } = read('settings');
  return !channel.invite_only && (!isGuest || channel.is_web_public);
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
