import { effect, signal } from '@preact/signals';
import { call } from '../api/call';
import { type Conversation, narrowKey } from '../narrow/narrow';
import { otherIds } from './messages';
import { onEvent, registration } from './model';

/** A conversation, as far as its newest messages are known. */
export interface RecentConversation {
  narrow: Conversation;
  newestId: number;
  newestAt: number;
  /** The senders, the latest first. */
  senderIds: number[];
  messageCount: number;
}

export interface RecentMessage {
  id: number;
  sender_id: number;
  timestamp: number;
  stream_id?: number;
  subject: string;
  display_recipient: string | { id: number }[];
}

const AT_ONCE = 500;

export const recent = signal<ReadonlyMap<string, RecentConversation>>(new Map());
export const hasAllRecent = signal(false);
let oldestId: number | null = null;
let registered = 0;
let loading: Promise<void> | null = null;

/** The conversations of the newest messages; fetched anew when the client has registered anew. */
export function openRecent(): void {
  if (registered === registration.value) return;
  registered = registration.value;
  recent.value = new Map();
  oldestId = null;
  void loadMoreRecent();
}

export function loadMoreRecent(): Promise<void> {
  loading ??= load().finally(() => {
    loading = null;
  });
  return loading;
}

async function load(): Promise<void> {
  const { messages, found_oldest } = await call<{ messages: RecentMessage[]; found_oldest: boolean }>(
    'GET',
    '/messages',
    {
      ...{ anchor: oldestId ?? 'newest', include_anchor: false, num_before: AT_ONCE, num_after: 0, narrow: [] },
      allow_empty_topic_name: true,
    },
  );
  oldestId = messages[0]?.id ?? oldestId;
  hasAllRecent.value = found_oldest;
  recent.value = withMessages(recent.value, messages, narrowOf);
}

function narrowOf({ stream_id: channelId, subject, display_recipient }: RecentMessage): Conversation {
  if (channelId !== undefined) return { kind: 'topic', channelId, topic: subject };
  return { kind: 'direct', userIds: otherIds((display_recipient as { id: number }[]).map(({ id }) => id)) };
}

/** The conversations with these messages, too. */
export function withMessages(
  known: ReadonlyMap<string, RecentConversation>,
  messages: readonly RecentMessage[],
  narrowOfMessage: (message: RecentMessage) => Conversation,
): Map<string, RecentConversation> {
  const all = new Map(known);
  for (const message of messages) {
    const narrow = narrowOfMessage(message);
    const key = narrowKey(narrow);
    const before = all.get(key);
    all.set(key, before ? joined(before, message) : first(narrow, message));
  }
  return all;
}

function first(narrow: Conversation, { id, timestamp, sender_id }: RecentMessage): RecentConversation {
  return { narrow, newestId: id, newestAt: timestamp, senderIds: [sender_id], messageCount: 1 };
}

function joined(before: RecentConversation, { id, timestamp, sender_id }: RecentMessage): RecentConversation {
  const others = before.senderIds.filter((each) => each !== sender_id);
  const isNewer = id > before.newestId;
  const senderIds = isNewer
    ? [sender_id, ...others]
    : before.senderIds.includes(sender_id)
      ? before.senderIds
      : [...others, sender_id];
  const newest = isNewer ? { newestId: id, newestAt: timestamp } : {};
  return { ...before, ...newest, senderIds, messageCount: before.messageCount + 1 };
}

onEvent((event) => {
  if (registered === 0) return;
  if (event.type === 'message')
    recent.value = withMessages(recent.value, [event['message'] as RecentMessage], narrowOf);
  const isMove = event.type === 'update_message' && event['propagate_mode'] !== undefined;
  // The event does not say what remains there: it is fetched when the view is opened.
  if (isMove || event.type === 'delete_message') registered = -1;
});

effect(() => {
  if (registration.value !== registered && registered !== 0) registered = -1;
});
