import { type Conversation, isSameNarrow, type Narrow, narrowKey } from '../narrow/narrow';

export interface UnreadConversation {
  narrow: Conversation;
  count: number;
  mentionCount: number;
  newestId: number;
  isMuted: boolean;
}

export interface UnreadChannel {
  channelId: number;
  /** Without muted topics. */
  count: number;
  mutedCount: number;
  mentionCount: number;
  topics: UnreadConversation[];
}

export interface UnreadSummary {
  /** Without muted conversations. */
  count: number;
  mentionCount: number;
  directs: UnreadConversation[];
  channels: ReadonlyMap<number, UnreadChannel>;
}

export interface UnreadMessages {
  mentions: readonly number[];
  pms: readonly { other_user_id: number; unread_message_ids: number[] }[];
  huddles: readonly { user_ids_string: string; unread_message_ids: number[] }[];
  streams: readonly { stream_id: number; topic: string; unread_message_ids: number[] }[];
}

interface Facts {
  userId: number;
  isTopicMuted(channelId: number, topic: string): boolean;
  isPersonMuted(userId: number): boolean;
}

/** Unread messages by conversation and channel; the newest first. */
export function countUnread(unread: UnreadMessages, facts: Facts): UnreadSummary {
  const isDirectMuted = ({ narrow }: UnreadConversation) =>
    narrow.kind === 'direct' && narrow.userIds.every(facts.isPersonMuted);
  const isTopicMuted = ({ narrow }: UnreadConversation) =>
    narrow.kind === 'topic' && facts.isTopicMuted(narrow.channelId, narrow.topic);
  const directs = [
    ...unread.pms.map((each) => described(each, unread, () => [each.other_user_id], isDirectMuted)),
    ...unread.huddles.map((each) =>
      described(each, unread, () => othersIn(each.user_ids_string, facts.userId), isDirectMuted),
    ),
  ];
  const topics = unread.streams.map((each) => described(each, unread, () => each, isTopicMuted));
  return {
    count: countHeard(directs) + countHeard(topics),
    mentionCount: unread.mentions.length,
    directs: directs.sort(newestFirst),
    channels: byChannel(topics.sort(newestFirst)),
  };
}

interface Item {
  unread_message_ids: number[];
}

/** Descriptions that are still true are the same objects, so nothing is drawn anew for them. */
const known = new WeakMap<Item, UnreadConversation>();

function described(
  item: Item,
  { mentions }: UnreadMessages,
  place: () => readonly number[] | { stream_id: number; topic: string },
  isMutedIn: (conversation: UnreadConversation) => boolean,
): UnreadConversation {
  const { unread_message_ids: ids } = item;
  const before = known.get(item);
  const [count, newestId, mentionCount] = [ids.length, ids.at(-1) ?? 0, shared(mentions, ids)];
  const now = { narrow: before?.narrow ?? narrowAt(place()), count, mentionCount, newestId, isMuted: false };
  now.isMuted = isMutedIn(now);
  if (before && isSame(before, now)) return before;
  known.set(item, now);
  return now;
}

function narrowAt(place: readonly number[] | { stream_id: number; topic: string }): Conversation {
  if ('topic' in place) return { kind: 'topic', channelId: place.stream_id, topic: place.topic };
  return { kind: 'direct', userIds: place };
}

function isSame(a: UnreadConversation, b: UnreadConversation): boolean {
  const names = ['count', 'mentionCount', 'newestId', 'isMuted'] as const;
  return names.every((name) => a[name] === b[name]);
}

function othersIn(userIds: string, own: number): number[] {
  return userIds
    .split(',')
    .map(Number)
    .filter((id) => id !== own);
}

/** How many of the mentions are among the ids; both are sorted, and most conversations have none. */
function shared(mentions: readonly number[], ids: readonly number[]): number {
  const last = ids.at(-1) ?? 0;
  let count = 0;
  for (let at = lowerBound(mentions, ids[0] ?? 0); (mentions[at] ?? Number.POSITIVE_INFINITY) <= last; at += 1) {
    if (ids[lowerBound(ids, mentions[at] as number)] === mentions[at]) count += 1;
  }
  return count;
}

/** The position of the first id that is not smaller. */
function lowerBound(ids: readonly number[], wanted: number): number {
  let [from, to] = [0, ids.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((ids[middle] as number) < wanted) from = middle + 1;
    else to = middle;
  }
  return from;
}

const newestFirst = (a: UnreadConversation, b: UnreadConversation) => b.newestId - a.newestId;

function countHeard(conversations: readonly UnreadConversation[]): number {
  return conversations.reduce((sum, { count, isMuted }) => (isMuted ? sum : sum + count), 0);
}

function byChannel(topics: readonly UnreadConversation[]): Map<number, UnreadChannel> {
  const channels = new Map<number, UnreadChannel>();
  for (const topic of topics) {
    const { channelId } = topic.narrow as Extract<Conversation, { kind: 'topic' }>;
    const channel = channels.get(channelId) ?? { channelId, count: 0, mutedCount: 0, mentionCount: 0, topics: [] };
    if (topic.isMuted) channel.mutedCount += topic.count;
    else channel.count += topic.count;
    channel.mentionCount += topic.mentionCount;
    channel.topics.push(topic);
    channels.set(channelId, channel);
  }
  return channels;
}

/** Unread messages of a topic or a direct conversation. */
export function unreadOf({ channels, directs }: UnreadSummary, narrow: Narrow): UnreadConversation | undefined {
  const siblings = narrow.kind === 'topic' ? channels.get(narrow.channelId)?.topics : directs;
  return siblings?.find((each) => isSameNarrow(each.narrow, narrow));
}

/** The conversation to read next: after the present one in this order, and from the beginning again. */
export function nextUnread(
  conversations: readonly UnreadConversation[],
  present: string,
  isWanted: (conversation: Conversation) => boolean,
): Conversation | undefined {
  const wanted = conversations.filter(({ narrow, isMuted }) => !isMuted && isWanted(narrow));
  const at = wanted.findIndex(({ narrow }) => narrowKey(narrow) === present);
  const others = [...wanted.slice(at + 1), ...wanted.slice(0, Math.max(at, 0))];
  return others[0]?.narrow;
}
