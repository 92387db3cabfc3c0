import { computed } from '@preact/signals';
import { type Channel, type ClientState, type GroupSetting, read, subscription } from './model';

/** Whether the user is one of those who may, by the value of a permission. */
export function isAmong(setting: GroupSetting | undefined, userId = read().user_id): boolean {
  if (setting === undefined) return false;
  const state = read('people');
  if (typeof setting === 'number') return isInGroup(state, setting, userId);
  return setting.direct_members.includes(userId) || setting.direct_subgroups.some((id) => isInGroup(state, id, userId));
}

/** One's own groups, found once for each change of people and groups: lists ask for thousands of channels. */
const ownGroups = computed(() => {
  const { user_id: own } = read('people', 'settings');
  return { own, known: new Map<number, boolean>() };
});

function isInGroup(state: ClientState, groupId: number, userId: number): boolean {
  const { own, known } = ownGroups.value;
  if (userId !== own) return isMember(state, groupId, userId);
  const isIn = known.get(groupId) ?? isMember(state, groupId, userId);
  known.set(groupId, isIn);
  return isIn;
}

function isMember(state: ClientState, groupId: number, userId: number): boolean {
  const group = state.realm_user_groups.find(({ id }) => id === groupId);
  if (!group) return false;
  return group.members.includes(userId) || group.direct_subgroup_ids.some((id) => isMember(state, id, userId));
}

export function mayPostIn(channel: Channel): boolean {
  return !channel.is_archived && isAmong(channel.can_send_message_group);
}

/** Whether one may read the channel: administrators may not for being such. */
export function mayRead(channel: Channel): boolean {
  if (subscription(channel.stream_id) || channel.is_web_public) return true;
  if (read('settings').is_guest) return false;
  return !channel.invite_only || isAmong(channel.can_subscribe_group) || isAmong(channel.can_add_subscribers_group);
}

/** Whether one may add others to the channel. */
export function mayAddTo(channel: Channel): boolean {
  const state = read('settings');
  const { can_add_subscribers_group: own, can_administer_channel_group: administrators } = channel;
  if (state.is_guest || !mayRead(channel)) return false;
  return [own, administrators, state.realm_can_add_subscribers_group].some((each) => isAmong(each));
}

/** Whether a topic can be left out, or has to be: general chat. */
export function topicRuleOf({ topics_policy: policy }: Channel): 'optional' | 'required' | 'none' {
  if (policy === 'empty_topic_only') return 'none';
  const applied = policy === 'inherit' ? read('settings').realm_topics_policy : policy;
  return applied === 'disable_empty_topic' ? 'required' : 'optional';
}

/** In channels with more subscribers, mentions of everybody need a permission. */
export const MANY_PEOPLE = 15;

export function mayMentionEverybody(channel: Channel | undefined): boolean {
  const few = channel !== undefined && channel.subscriber_count <= MANY_PEOPLE;
  return few || isAmong(read('settings').realm_can_mention_many_users_group);
}
