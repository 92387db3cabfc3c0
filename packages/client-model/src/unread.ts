import { type Item, include, listOf, type State } from './state';

/** A message's location: a topic, or a conversation of all these users. */
export type UnreadPlace = { stream_id: number; topic: string } | { userIds: readonly number[] };

type Lists = Record<'pms' | 'streams' | 'huddles', Item[]>;
type Unread = Lists & { count: number; mentions: number[] };

const LISTS = ['pms', 'streams', 'huddles'] as const;

export function addUnread(state: State, id: number, place: UnreadPlace, isMentioned: boolean): void {
  const unread = unreadOf(state);
  const { list, named } = listFor(state, unread, place);
  let found = list.find((item) => Object.entries(named).every(([name, value]) => item[name] === value));
  if (!found) {
    found = { ...named, unread_message_ids: [] };
    list.push(found);
  }
  const ids = found['unread_message_ids'] as number[];
  include(ids, [id]);
  ids.sort((a, b) => a - b);
  if (isMentioned) unread.mentions = [...unread.mentions, id].sort((a, b) => a - b);
}

/** Unread messages only: the state has no others, though events name them as well. */
export function removeUnread(state: State, messageIds: readonly number[]): void {
  const unread = unreadOf(state);
  for (const name of LISTS) {
    for (const item of unread[name]) item['unread_message_ids'] = without(idsOf(item), messageIds);
    unread[name] = unread[name].filter((item) => idsOf(item).length > 0);
  }
  unread.mentions = without(unread.mentions, messageIds);
}

export function clearUnread(state: State): void {
  Object.assign(unreadOf(state), { pms: [], streams: [], huddles: [], mentions: [] });
}

/** Changes the location of the unread ones. */
export function moveUnread(state: State, messageIds: readonly number[], place: UnreadPlace): void {
  const unread = unreadOf(state);
  const unreadIds = LISTS.flatMap((name) => unread[name].flatMap(idsOf)).filter((id) => messageIds.includes(id));
  const mentions = unread.mentions.filter((id) => unreadIds.includes(id));
  removeUnread(state, unreadIds);
  for (const id of unreadIds) addUnread(state, id, place, mentions.includes(id));
}

/** Whether an unread message mentions the user has changed. */
export function setMentioned(state: State, id: number, isMentioned: boolean): void {
  const unread = unreadOf(state);
  const isUnread = LISTS.some((name) => unread[name].some((item) => idsOf(item).includes(id)));
  const others = without(unread.mentions, [id]);
  unread.mentions = isUnread && isMentioned ? [...others, id].sort((a, b) => a - b) : others;
}

/** Counts unread messages outside of muted channels and topics; called when all events are applied. */
export function countUnread(state: State): void {
  const unread = unreadOf(state);
  const isMuted = mutedIn(state);
  const heard = unread.streams.filter((topic) => !isMuted(topic));
  unread.count = [...unread.pms, ...unread.huddles, ...heard].reduce((count, item) => count + idsOf(item).length, 0);
}

const MUTED = 1;

/** Looks everything up once: there may be thousands of channels and of topics. */
function mutedIn(state: State): (topic: Item) => boolean {
  const keyOf = (channelId: unknown, topic: unknown) => `${channelId}/${fold(topic)}`;
  const policies = new Map(
    listOf(state, 'user_topics').map((each) => [
      keyOf(each['stream_id'], each['topic_name']),
      each['visibility_policy'],
    ]),
  );
  const channels = listOf(state, 'subscriptions').filter(({ is_muted: isMuted }) => isMuted === true);
  const mutedIds = new Set(channels.map(({ stream_id: id }) => id));
  return ({ stream_id: channelId, topic }) => {
    const policy = policies.get(keyOf(channelId, topic));
    return policy === undefined ? mutedIds.has(channelId) : policy === MUTED;
  };
}

const fold = (topic: unknown) => String(topic).toLowerCase();

function listFor(state: State, unread: Unread, place: UnreadPlace): { list: Item[]; named: Item } {
  if ('topic' in place) {
    // Topics are compared ignoring case; the list has the casing of its first message.
    const same = unread.streams.find(
      (item) => item['stream_id'] === place.stream_id && fold(item['topic']) === fold(place.topic),
    );
    return { list: unread.streams, named: same ? { stream_id: place.stream_id, topic: same['topic'] } : { ...place } };
  }
  const ids = [...new Set(place.userIds)].sort((a, b) => a - b);
  if (ids.length > 2) return { list: unread.huddles, named: { user_ids_string: ids.join(',') } };
  const otherId = ids.find((id) => id !== state['user_id']) ?? state['user_id'];
  return { list: unread.pms, named: { other_user_id: otherId, sender_id: otherId } };
}

function unreadOf(state: State): Unread {
  return state['unread_msgs'] as Unread;
}

function idsOf(item: Item): number[] {
  return item['unread_message_ids'] as number[];
}

function without(ids: readonly number[], removed: readonly number[]): number[] {
  const gone = new Set(removed);
  return ids.filter((id) => !gone.has(id));
}
