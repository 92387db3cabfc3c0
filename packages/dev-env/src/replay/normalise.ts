import type { ClientKind } from './rules';
import { type Item, listOf, type State } from './state';

/** Of the queue, not of what it tells. */
const OF_THE_QUEUE = ['queue_id', 'last_event_id', 'server_timestamp', 'presence_last_update_id'];

/** Deprecated: clients keep the last id that they have seen, be it of a message that is gone. */
const KEPT_OTHERWISE = ['max_message_id'];

/** Lists whose order says nothing: by what their items are known. */
const UNORDERED: Readonly<Record<string, readonly string[]>> = {
  streams: ['stream_id'],
  subscriptions: ['stream_id'],
  not_subscribed: ['stream_id'],
  realm_users: ['user_id'],
  realm_non_active_users: ['user_id'],
  cross_realm_bots: ['user_id'],
  realm_bots: ['user_id'],
  realm_user_groups: ['id'],
  navigation_views: ['fragment'],
  user_topics: ['stream_id', 'topic_name'],
  attachments: ['id'],
};

/** What clients work out from permissions, groups and roles, and former numbers for permissions, which no event tells. */
const DERIVED = [
  ...['can_create_streams', 'can_create_public_streams', 'can_create_private_streams', 'can_create_web_public_streams'],
  ...['can_subscribe_other_users', 'can_invite_others_to_realm'],
  ...['realm_create_public_stream_policy', 'realm_create_private_stream_policy'],
  ...['realm_create_web_public_stream_policy', 'realm_wildcard_mention_policy'],
];

/** Members of items that are sets of ids. */
const SETS = ['subscribers', 'members', 'direct_subgroup_ids'];

const OF_SUBSCRIBERS = [
  ...['color', 'is_muted', 'in_home_view', 'pin_to_top', 'desktop_notifications', 'audible_notifications'],
  ...['push_notifications', 'email_notifications', 'wildcard_mentions_notify'],
];

/** What clients do not learn from events, so that it is not compared: see each. */
const FOLLOWED_OTHERWISE = [
  // Clients learn of these from the messages themselves.
  'first_message_id',
  'is_recently_active',
];

/** Without what differs from answer to answer, and with what is unordered by id. */
export function normalise(state: State, { capabilities }: ClientKind): State {
  const copy = structuredClone(state);
  for (const name of [...OF_THE_QUEUE, ...KEPT_OTHERWISE, ...DERIVED]) delete copy[name];
  if (!capabilities.has('notification_settings_null')) dropEffectiveSettings(copy);
  mergeUnsubscribed(copy);
  listOf(copy, 'messages').forEach(normaliseMessage);
  normaliseUnread(copy['unread_msgs'] as Item);
  for (const [name, idNames] of Object.entries(UNORDERED)) {
    const items = listOf(copy, name);
    items.forEach(normaliseItem);
    copy[name] = Object.fromEntries(items.map((item) => [idNames.map((idName) => item[idName]).join(), item]));
  }
  return copy;
}

/** A client to which a channel appears cannot know whether its user was subscribed in former times. */
function mergeUnsubscribed(state: State): void {
  const left = listOf(state, 'unsubscribed').map(channelOf);
  state['not_subscribed'] = [...left, ...listOf(state, 'never_subscribed')];
  delete state['unsubscribed'];
  delete state['never_subscribed'];
}

/** Without what the subscriber has set. */
function channelOf(subscription: Item): Item {
  return Object.fromEntries(Object.entries(subscription).filter(([name]) => !OF_SUBSCRIBERS.includes(name)));
}

function normaliseItem(item: Item): void {
  if (isComputed(item['avatar_url'])) item['avatar_url'] = null;
  for (const name of SETS) (item[name] as number[] | undefined)?.sort((a, b) => a - b);
  for (const name of FOLLOWED_OTHERWISE) delete item[name];
}

/** A picture that clients can find by themselves; they are told where it is, or not. */
function isComputed(url: unknown): boolean {
  return typeof url === 'string' && url.startsWith('https://secure.gravatar.com/');
}

/** Events do not tell who changed what before, nor the number of another channel's place; `historical` is not among their flags. */
function normaliseMessage(message: Item): void {
  delete message['edit_history'];
  delete message['recipient_id'];
  message['flags'] = (message['flags'] as string[]).filter((flag) => flag !== 'historical').sort();
}

/** By where the messages are. */
function normaliseUnread(unread: Record<string, unknown>): void {
  for (const name of ['pms', 'streams', 'huddles']) {
    const places = (unread[name] as Item[]).map(({ unread_message_ids: ids, ...place }) => [
      JSON.stringify(place),
      ids,
    ]);
    unread[name] = Object.fromEntries(places);
  }
}

/** COMPAT(level 1): to such clients register says what the account has set, events that the channel has nothing of its own. */
function dropEffectiveSettings(state: State): void {
  for (const item of listOf(state, 'subscriptions')) {
    for (const name of OF_SUBSCRIBERS)
      if (name.endsWith('_notifications') || name.endsWith('_notify')) delete item[name];
  }
}
