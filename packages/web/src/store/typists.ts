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

/** People typing in this view at the moment. */
export function typistsIn(narrow: Narrow): number[] {
  const isHere = (other: Narrow) =>
    isSameNarrow(other, narrow) ||
    (narrow.kind === 'channel' && other.kind === 'topic' && other.channelId === narrow.channelId);
  return [...new Set(typists.value.filter((each) => isHere(each.narrow)).map(({ userId }) => userId))];
}

interface EditEvent {
  op: string;
  sender_id: number;
  message_id: number;
}

interface TypingEvent {
  op?: string;
  sender: { user_id: number };
  message_type: 'direct' | 'stream';
  recipients?: { user_id: number }[];
  stream_id?: number;
  topic?: string;
}

/** Messages that their senders are editing, until the ends of these notices. */
const edited = signal<ReadonlyMap<number, ReturnType<typeof setTimeout>>>(new Map());

/** Whether its sender is editing a message at the moment. */
export const isBeingEdited = (messageId: number) => edited.value.has(messageId);

onEvent((event) => {
  if (event.type === 'typing') take(event as unknown as TypingEvent);
  if (event.type === 'typing_edit_message') takeEdit(event as unknown as EditEvent);
  if (event.type === 'update_message') endEdit(event['message_id'] as number);
  if (event.type === 'message') remove((event['message'] as Message).sender_id);
});

function take({ op, sender: { user_id: userId }, ...where }: TypingEvent): void {
  remove(userId);
  if (op !== 'start' || userId === read().user_id) return;
  const timer = atExpiry(() => remove(userId));
  typists.value = [...typists.value, { userId, narrow: narrowOf(where), timer }];
}

function takeEdit({ op, sender_id: senderId, message_id: messageId }: EditEvent): void {
  endEdit(messageId);
  if (op !== 'start' || senderId === read().user_id) return;
  edited.value = new Map(edited.value).set(
    messageId,
    atExpiry(() => endEdit(messageId)),
  );
}

function endEdit(messageId: number): void {
  if (!edited.value.has(messageId)) return;
  const others = new Map(edited.value);
  clearTimeout(others.get(messageId));
  others.delete(messageId);
  edited.value = others;
}

/** A lost connection sends no "stop". */
function atExpiry(end: () => void): ReturnType<typeof setTimeout> {
  return setTimeout(end, read().server_typing_started_expiry_period_milliseconds ?? DEFAULT_EXPIRY_MS);
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
