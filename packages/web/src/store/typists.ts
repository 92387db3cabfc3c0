import { signal } from '@preact/signals';
import { isSameNarrow, type Narrow } from '../narrow/narrow';
import { type Message, otherIds } from './messages';
import { onEvent, read } from './model';

interface Typist {
  userId: number;
  narrow: Narrow;
  timer: ReturnType<typeof setTimeout>;
}

const DEFAULT_EXPIRY_MS = 45_000;
const typists = signal<readonly Typist[]>([]);

/** Who writes in this view at the moment. */
export function typistsIn(narrow: Narrow): number[] {
  const isHere = (other: Narrow) =>
    isSameNarrow(other, narrow) ||
    (narrow.kind === 'channel' && other.kind === 'topic' && other.channelId === narrow.channelId);
  return [...new Set(typists.value.filter((each) => isHere(each.narrow)).map(({ userId }) => userId))];
}

interface TypingEvent {
  op?: string;
  sender: { user_id: number };
  message_type: 'direct' | 'stream';
  recipients?: { user_id: number }[];
  stream_id?: number;
  topic?: string;
}

onEvent((event) => {
  if (event.type === 'typing') take(event as unknown as TypingEvent);
  if (event.type === 'message') remove((event['message'] as Message).sender_id);
});

function take({ op, sender: { user_id: userId }, ...where }: TypingEvent): void {
  remove(userId);
  const { user_id: own, server_typing_started_expiry_period_milliseconds: expiryMs = DEFAULT_EXPIRY_MS } = read();
  if (op !== 'start' || userId === own) return;
  // Whoever loses the connection sends no end.
  const timer = setTimeout(() => remove(userId), expiryMs);
  typists.value = [...typists.value, { userId, narrow: narrowOf(where), timer }];
}

function narrowOf({ message_type, recipients, stream_id, topic }: Omit<TypingEvent, 'sender' | 'op'>): Narrow {
  if (message_type === 'stream') return { kind: 'topic', channelId: stream_id as number, topic: topic ?? '' };
  return { kind: 'direct', userIds: otherIds((recipients ?? []).map(({ user_id }) => user_id)) };
}

function remove(userId: number): void {
  for (const each of typists.value) if (each.userId === userId) clearTimeout(each.timer);
  if (typists.value.some((each) => each.userId === userId))
    typists.value = typists.value.filter((each) => each.userId !== userId);
}
