import type { ClientKind } from '@parley/client-model/rules';
import { type Item, listOf, mapOf, type State } from '@parley/client-model/state';
import { DEFAULT_PICTURE_PREFIX } from '@parley/shared/wire';

/** Members of the state that are not compared, with the reason. */
const NOT_COMPARED: Readonly<Record<string, string>> = {
  queue_id: 'of the queue, not of what it tells',
  last_event_id: 'of the queue, too',
  server_timestamp: 'of the answer',
  presence_last_update_id: 'for asking on; events of presence carry none',
  max_message_id: 'deprecated: clients keep the last id that they have seen, even of a deleted message',
};

/** Lists without a defined order, with the key of their items. */
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
  messages: ['id'],
};

/** Members of items that are sets of ids. */
const SETS = ['subscribers', 'members', 'direct_subgroup_ids'];

const OF_SUBSCRIBERS = [
  ...['color', 'is_muted', 'in_home_view', 'pin_to_top', 'desktop_notifications', 'audible_notifications'],
  ...['push_notifications', 'email_notifications', 'wildcard_mentions_notify'],
];

/** Takes away members that differ between answers, and sorts unordered lists by id: changes the state, and returns it. */
export function normalise(state: State, { capabilities }: ClientKind): State {
  for (const name of Object.keys(NOT_COMPARED)) delete state[name];
  if (!capabilities.has('notification_settings_null')) dropEffectiveSettings(state);
  mergeUnsubscribed(state);
  dropPresencesOfStrangers(state);
  listOf(state, 'messages').forEach(normaliseMessage);
  normaliseUnread(state['unread_msgs'] as Item);
  for (const [name, idNames] of Object.entries(UNORDERED)) {
    const items = listOf(state, name);
    items.forEach(normaliseItem);
    state[name] = Object.fromEntries(items.map((item) => [idNames.map((idName) => item[idName]).join(), item]));
  }
  return state;
}

/** A client to which a channel appears cannot know whether its user was subscribed before. */
function mergeUnsubscribed(state: State): void {
  const left = listOf(state, 'unsubscribed').map(channelOf);
  state['not_subscribed'] = [...left, ...listOf(state, 'never_subscribed')];
  delete state['unsubscribed'];
  delete state['never_subscribed'];
}

/** Presences by id are also of people hidden from a guest, who does not learn of their deactivation. */
function dropPresencesOfStrangers(state: State): void {
  const known = new Set(listOf(state, 'realm_users').map(({ user_id: userId }) => String(userId)));
  const presences = mapOf(state, 'presences');
  for (const key of Object.keys(presences)) if (/^\d+$/.test(key) && !known.has(key)) delete presences[key];
}

/** Without the subscriber's properties. */
function channelOf(subscription: Item): Item {
  return Object.fromEntries(Object.entries(subscription).filter(([name]) => !OF_SUBSCRIBERS.includes(name)));
}

function normaliseItem(item: Item): void {
  if (isComputed(item['avatar_url'])) item['avatar_url'] = null;
  for (const name of SETS) (item[name] as number[] | undefined)?.sort((a, b) => a - b);
}

/** A default picture, whose address is null for some clients. */
function isComputed(url: unknown): boolean {
  return typeof url === 'string' && url.startsWith(DEFAULT_PICTURE_PREFIX);
}

/** `historical` is not among the flags of events, which also name pictures that some clients compute; participants are in order of their addresses. */
function normaliseMessage(message: Item): void {
  if (isComputed(message['avatar_url'])) message['avatar_url'] = null;
  if (message['type'] === 'private') sortById(message['display_recipient'] as Item[]);
  message['flags'] = (message['flags'] as string[]).filter((flag) => flag !== 'historical').sort();
}

const sortById = (items: Item[]) => items.sort((a, b) => (a['id'] as number) - (b['id'] as number));

/** By the messages' locations. */
function normaliseUnread(unread: Record<string, unknown>): void {
  for (const name of ['pms', 'streams', 'huddles']) {
    const places = (unread[name] as Item[]).map(({ unread_message_ids: ids, ...place }) => [
      JSON.stringify(place),
      ids,
    ]);
    unread[name] = Object.fromEntries(places);
  }
}

/**
 * COMPAT(level 1): these clients get the account's settings, and changes of these, but not which channels inherit them. Only the
 * type of these values is compared: they are never null.
 */
function dropEffectiveSettings(state: State): void {
  for (const item of listOf(state, 'subscriptions')) {
    for (const name of OF_SUBSCRIBERS) {
      if (name.endsWith('_notifications') || name.endsWith('_notify')) item[name] = typeof item[name];
    }
  }
}
