import type { PublicEvent } from '@parley/client-model/rules';
import { computed, signal } from '@preact/signals';
import { call } from '../api/call';
import { type Conversation, narrowKey } from '../narrow/narrow';
import { deletedIn, otherIds } from './messages';
import { onEvent, registration } from './model';

/** A conversation, as far as its newest messages are known. */
export interface RecentConversation {
  narrow: Conversation;
  newestId: number;
  newestAt: number;
  /** The senders, the latest first. */
  senderIds: number[];
}

interface RecentMessage {
  id: number;
  sender_id: number;
  timestamp: number;
  stream_id?: number;
  subject: string;
  display_recipient: string | { id: number }[];
}

/** What is kept of a message. */
interface Known {
  id: number;
  senderId: number;
  at: number;
  narrow: Conversation;
}

const AT_ONCE = 500;
/** More are only kept if the person has asked for them. */
const MOST = 5_000;

/** The newest messages by id: where they are moved, and which are deleted, decides what the conversations are. */
const known = new Map<number, Known>();
/** Counts their changes. */
const version = signal(0);
export const hasAllRecent = signal(false);
let registered = 0;
let fetchedCount = 0;
let loading: Promise<void> | null = null;
/** Moves and deletions while messages are fetched: the answer may be older. */
let late: PublicEvent[] = [];

/** The conversations of the known messages, the newest first. */
export const recent = computed<readonly RecentConversation[]>(() => {
  void version.value;
  const conversations = new Map<string, RecentConversation>();
  for (const { id, senderId, at, narrow } of newestFirst()) {
    const key = narrowKey(narrow);
    const conversation = conversations.get(key);
    if (!conversation) conversations.set(key, { narrow, newestId: id, newestAt: at, senderIds: [senderId] });
    else if (!conversation.senderIds.includes(senderId)) conversation.senderIds.push(senderId);
  }
  return [...conversations.values()];
});

const newestFirst = () => [...known.values()].sort((a, b) => b.id - a.id);

/** Fetches the newest messages, unless this was done since the client registered. Rejects as `call` does. */
export async function openRecent(): Promise<void> {
  if (registered !== registration.value) await loadMoreRecent();
}

export function loadMoreRecent(): Promise<void> {
  loading ??= load().finally(() => {
    loading = null;
    late = [];
  });
  return loading;
}

async function load(): Promise<void> {
  const { value: now } = registration;
  const isAnew = registered !== now;
  const former = isAnew ? [...known.keys()] : [];
  const { messages, found_oldest } = await fetchBefore(isAnew ? undefined : newestFirst().at(-1)?.id);
  // What has come meanwhile stays.
  for (const id of former) known.delete(id);
  for (const each of messages) if (!known.has(each.id)) keep(each);
  for (const event of late) follow(event);
  registered = now;
  fetchedCount = messages.length + (isAnew ? 0 : fetchedCount);
  hasAllRecent.value = found_oldest;
  version.value += 1;
}

function fetchBefore(id?: number): Promise<{ messages: RecentMessage[]; found_oldest: boolean }> {
  return call('GET', '/messages', {
    ...{ anchor: id ?? 'newest', include_anchor: false, num_before: AT_ONCE, num_after: 0, narrow: [] },
    allow_empty_topic_name: true,
  });
}

function keep({ id, sender_id: senderId, timestamp: at, ...where }: RecentMessage): void {
  known.set(id, { id, senderId, at, narrow: narrowOf(where) });
}

type Where = Pick<RecentMessage, 'stream_id' | 'subject' | 'display_recipient'>;

function narrowOf({ stream_id: channelId, subject, display_recipient }: Where): Conversation {
  if (channelId !== undefined) return { kind: 'topic', channelId, topic: subject };
  return { kind: 'direct', userIds: otherIds((display_recipient as { id: number }[]).map(({ id }) => id)) };
}

onEvent((event) => {
  // Nobody has opened the view yet.
  if (registered === 0 && !loading) return;
  if (event.type === 'message') {
    keep(event['message'] as RecentMessage);
    forgetOldest();
  } else if (event.type === 'delete_message' || isMove(event)) {
    if (loading) late.push(event);
    follow(event);
  } else return;
  version.value += 1;
});

const isMove = ({ type, propagate_mode }: PublicEvent) => type === 'update_message' && propagate_mode !== undefined;

function follow(event: PublicEvent): void {
  for (const id of deletedIn(event)) known.delete(id);
  if (!isMove(event)) return;
  for (const id of event['message_ids'] as number[]) {
    const each = known.get(id);
    if (each?.narrow.kind !== 'topic') continue;
    const channelId = (event['new_stream_id'] ?? each.narrow.channelId) as number;
    const topic = (event['subject'] ?? each.narrow.topic) as string;
    known.set(id, { ...each, narrow: { kind: 'topic', channelId, topic } });
  }
}

/** Now and then, because they are sorted for it. */
function forgetOldest(): void {
  const most = Math.max(MOST, fetchedCount);
  if (known.size < most + AT_ONCE) return;
  for (const { id } of newestFirst().slice(most)) known.delete(id);
  hasAllRecent.value = false;
}
