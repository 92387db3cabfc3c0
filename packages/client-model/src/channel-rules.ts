import type { PublicEvent, Rules } from './rules';
import {
  add,
  change,
  exclude,
  find,
  type Item,
  include,
  listOf,
  messagesOf,
  NotOneCut,
  type State,
  take,
  takeExisting,
} from './state';

const SUBSCRIPTION_LISTS = ['subscriptions', 'unsubscribed', 'never_subscribed'] as const;

/** Channels, and who is subscribed to them. */
export const channelRules: Rules = {
  'stream/create'(state, { streams }) {
    for (const channel of streams as Item[]) {
      add(listOf(state, 'streams'), 'stream_id', { ...channel });
      add(listOf(state, 'never_subscribed'), 'stream_id', { ...channel, subscribers: [] });
    }
  },
  'stream/delete'(state, { stream_ids: ids }, { capabilities }) {
    for (const id of ids as number[]) {
      const [channel] = take(listOf(state, 'streams'), 'stream_id', [id]);
      take(subscriptionListWith(state, id), 'stream_id', [id]);
      if (capabilities.has('archived_channels')) hideFromBots(state, channel?.['name']);
    }
  },
  'stream/update'(state, { id: _, type: __, op: ___, name, stream_id: channelId, property, value, ...extras }) {
    const changes = { [property as string]: value, ...extras };
    change(listOf(state, 'streams'), 'stream_id', channelId, changes);
    change(subscriptionListWith(state, channelId), 'stream_id', channelId, changes);
    if (property === 'name') renameElsewhere(state, channelId, String(name), String(value));
  },
  'subscription/add'(state, { subscriptions }) {
    for (const subscription of subscriptions as Item[]) {
      const { stream_id: channelId, subscriber_count } = subscription;
      const former = takeExisting(listOf(state, 'unsubscribed'), 'stream_id', [channelId]);
      if (former.length === 0) take(listOf(state, 'never_subscribed'), 'stream_id', [channelId]);
      add(listOf(state, 'subscriptions'), 'stream_id', structuredClone(subscription));
      change(listOf(state, 'streams'), 'stream_id', channelId, { subscriber_count });
    }
  },
  'subscription/remove'(state, { subscriptions }) {
    const ids = (subscriptions as Item[]).map(({ stream_id: id }) => id as number);
    const left = take(listOf(state, 'subscriptions'), 'stream_id', ids);
    listOf(state, 'unsubscribed').push(...left);
    for (const id of ids) changeSubscribers(state, id, [state['user_id'] as number], exclude);
  },
  'subscription/update'(state, { stream_id: channelId, property, value }) {
    change(listOf(state, 'subscriptions'), 'stream_id', channelId, { [property as string]: value });
  },
  'subscription/peer_add': (state, event) => forPeers(state, event, include),
  'subscription/peer_remove': (state, event) => forPeers(state, event, exclude),
  // These two contain the whole list.
  default_streams(state, { default_streams: ids }) {
    state['realm_default_streams'] = ids;
  },
  default_stream_groups(state, { default_stream_groups: groups }) {
    state['realm_default_stream_groups'] = groups;
  },
  'channel_folder/add'(state, { channel_folder: folder }) {
    add(listOf(state, 'channel_folders'), 'id', { ...(folder as Item) });
  },
  'channel_folder/update'(state, { channel_folder_id: id, data }) {
    change(listOf(state, 'channel_folders'), 'id', id, data as Item);
  },
  'channel_folder/reorder'(state, { order }) {
    const ids = order as number[];
    ids.forEach((id, index) => {
      change(listOf(state, 'channel_folders'), 'id', id, { order: index });
    });
    listOf(state, 'channel_folders').sort((a, b) => (a['order'] as number) - (b['order'] as number));
  },
};

/** Where the channel has its name besides: in messages, in bots and, for old clients, in muted topics. */
function renameElsewhere(state: State, channelId: unknown, former: string, name: string): void {
  for (const message of messagesOf(state)) {
    if (message['stream_id'] === channelId) message['display_recipient'] = name;
  }
  const topics = (state['muted_topics'] ?? []) as [string, ...unknown[]][];
  for (const topic of topics) if (topic[0] === former) topic[0] = name;
  for (const bot of botsOf(state)) renameInBot(bot, former, name);
}

/** Bots have no channel that their owner may not see. Others take an archived channel for such a one. */
function hideFromBots(state: State, name: unknown): void {
  for (const bot of botsOf(state)) if (bot['owner_id'] === state['user_id']) renameInBot(bot, name, null);
}

const botsOf = (state: State) => (state['realm_bots'] ?? []) as Item[];

function renameInBot(bot: Item, former: unknown, name: string | null): void {
  for (const property of ['default_sending_stream', 'default_events_register_stream']) {
    if (bot[property] === former) bot[property] = name;
  }
}

function subscriptionListWith(state: State, channelId: unknown): Item[] {
  const lists = SUBSCRIPTION_LISTS.map((name) => listOf(state, name));
  const found = lists.find((list) => list.some(({ stream_id: id }) => id === channelId));
  if (!found) throw new NotOneCut(`there is no channel ${channelId}`);
  return found;
}

type SetChange = typeof include | typeof exclude;

function forPeers(state: State, { stream_ids: channelIds, user_ids: userIds }: PublicEvent, changeSet: SetChange) {
  for (const id of channelIds as number[]) changeSubscribers(state, id, userIds as number[], changeSet);
}

function changeSubscribers(state: State, channelId: number, userIds: readonly number[], changeSet: SetChange): void {
  const channel = find(subscriptionListWith(state, channelId), 'stream_id', channelId);
  const subscribers = channel['subscribers'] as number[] | undefined;
  if (subscribers) changeSet(subscribers, userIds);
  else changeKnownSubscribers(channel, userIds, changeSet);
  if (subscribers) channel['subscriber_count'] = subscribers.length;
  change(listOf(state, 'streams'), 'stream_id', channelId, { subscriber_count: channel['subscriber_count'] });
}

/** A client that asked for partial lists has some subscribers of large channels, and the number of all. */
function changeKnownSubscribers(channel: Item, userIds: readonly number[], changeSet: SetChange): void {
  const isAdded = changeSet === include;
  const known = (channel['partial_subscribers'] ?? []) as number[];
  const others = known.filter((id) => !userIds.includes(id));
  channel['partial_subscribers'] = isAdded ? [...others, ...userIds] : others;
  channel['subscriber_count'] = (channel['subscriber_count'] as number) + (isAdded ? userIds.length : -userIds.length);
}
