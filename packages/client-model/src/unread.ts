import { type Item, include, listOf, type State } from './state';

/** A message's location: a topic, or a conversation of all these users. */
export type UnreadPlace = { stream_id: number; topic: string } | { userIds: readonly number[] };

type Lists = Record<'pms' | 'streams' | 'huddles', Item[]>;
type Unread = Lists & { count: number; mentions: number[] };

const LISTS = ['pms', 'streams', 'huddles'] as const;

export function addUnread(state: State, id: number, place: UnreadPlace, isMentioned: boolean): void {
  const unread = unreadOf(state);
  const { list, isIt, named } = listFor(state, unread, place);
  let found = list.find(isIt);
  if (!found) {
    found = { ...named, unread_message_ids: [] };
    list.push(found);
  }
  const ids = found['unread_message_ids'] as number[];
  include(ids, [id]);
  ids.sort((a, b) => a - b);
  if (ids.at(-1) === id) Object.assign(found, named);
  if (isMentioned) unread.mentions = [...unread.mentions, id].sort((a, b) => a - b);
}

/** Unread messages only: the state has no others, though events name them as well. */
export function removeUnread(state: State, messageIds: readonly number[]): void {
  const unread = unreadOf(state);
  const gone = new Set(messageIds);
  for (const name of LISTS) {
    const changed = unread[name].filter((item) => hasSome(idsOf(item), gone));
    for (const item of changed) item['unread_message_ids'] = idsOf(item).filter((id) => !gone.has(id));
    if (changed.length > 0) unread[name] = unread[name].filter((item) => idsOf(item).length > 0);
  }
  if (hasSome(unread.mentions, gone)) unread.mentions = unread.mentions.filter((id) => !gone.has(id));
}

/** Looks each of the fewer ones up: there may be 50,000 unread messages, and thousands of events. */
function hasSome(ids: readonly number[], wanted: ReadonlySet<number>): boolean {
  if (wanted.size >= ids.length) return ids.some((id) => wanted.has(id));
  for (const id of wanted) if (isInOrder(ids, id)) return true;
  return false;
}

/** Whether a list in ascending order has a number. */
function isInOrder(ids: readonly number[], wanted: number): boolean {
  let [from, to] = [0, ids.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((ids[middle] as number) < wanted) from = middle + 1;
    else to = middle;
  }
  return ids[from] === wanted;
}

export function clearUnread(state: State): void {
  Object.assign(unreadOf(state), { pms: [], streams: [], huddles: [], mentions: [] });
}

/** Changes the location of the unread ones. */
export function moveUnread(state: State, messageIds: readonly number[], place: UnreadPlace): void {
  const unread = unreadOf(state);
  const moved = new Set(messageIds);
  const unreadIds = LISTS.flatMap((name) => unread[name].flatMap(idsOf)).filter((id) => moved.has(id));
  const mentions = unread.mentions.filter((id) => moved.has(id));
  removeUnread(state, unreadIds);
  for (const id of unreadIds) addUnread(state, id, place, mentions.includes(id));
}

/** Whether an unread message mentions the user has changed. */
export function setMentioned(state: State, id: number, isMentioned: boolean): void {
  const unread = unreadOf(state);
  const isUnread = LISTS.some((name) => unread[name].some((item) => isInOrder(idsOf(item), id)));
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

/** Whether a topic of a channel is muted, by itself or with the channel. */
export function isMuted(state: State, topic: Item): boolean {
  return mutedIn(state)(topic);
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

interface UnreadList {
  list: Item[];
  isIt: (item: Item) => boolean;
  /** Members of a new item. */
  named: Item;
}

function listFor(state: State, unread: Unread, place: UnreadPlace): UnreadList {
  if ('topic' in place) {
    // Topics are compared ignoring case; the list has the casing of its newest message.
    const topic = fold(place.topic);
    const isIt = (item: Item) => item['stream_id'] === place.stream_id && fold(item['topic']) === topic;
    return { list: unread.streams, isIt, named: { ...place } };
  }
  const ids = [...new Set(place.userIds)].sort((a, b) => a - b);
  if (ids.length > 2) {
    const user_ids_string = ids.join(',');
    const isIt = (item: Item) => item['user_ids_string'] === user_ids_string;
    return { list: unread.huddles, isIt, named: { user_ids_string } };
  }
  const otherId = ids.find((id) => id !== state['user_id']) ?? state['user_id'];
  const isIt = (item: Item) => item['other_user_id'] === otherId;
  return { list: unread.pms, isIt, named: { other_user_id: otherId, sender_id: otherId } };
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
