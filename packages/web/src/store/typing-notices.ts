import { call } from '../api/call';
import type { Conversation } from '../narrow/narrow';
import { isSameNarrow } from '../narrow/narrow';
import { message, messageNow, narrowOf } from './messages';
import { channel, read } from './model';
import { mayPostIn } from './rights';

// Says that the person types, as often as the server wants to know, and that they have stopped.

/** The server tells nobody in larger channels. */
const MOST_LISTENERS = 100;

/** A new message to a conversation, or the change of a message. */
type Subject = Conversation | { kind: 'edit'; messageId: number };

interface Notice {
  subject: Subject;
  saidAt: number;
  stopTimer: ReturnType<typeof setTimeout>;
}

let notice: Notice | null = null;

/** After each change of the text. */
export function noticeTyping(subject: Subject): void {
  const {
    server_typing_stopped_wait_period_milliseconds: stopMs,
    server_typing_started_wait_period_milliseconds: againMs,
  } = read();
  if (notice && !isSame(notice.subject, subject)) stopTyping();
  if (!mayTell(subject)) return;
  const isToldAlready = notice !== null && Date.now() - notice.saidAt < againMs;
  if (!isToldAlready) tell('start', subject);
  clearTimeout(notice?.stopTimer);
  const saidAt = isToldAlready ? (notice?.saidAt ?? 0) : Date.now();
  notice = { subject, saidAt, stopTimer: setTimeout(stopTyping, stopMs) };
}

/** When the message was sent, or the person leaves; `subject`: only if it is this that they write. */
export function stopTyping(subject?: Subject): void {
  if (!notice || (subject && !isSame(notice.subject, subject))) return;
  clearTimeout(notice.stopTimer);
  tell('stop', notice.subject);
  notice = null;
}

function isSame(a: Subject, b: Subject): boolean {
  if (a.kind === 'edit') return b.kind === 'edit' && a.messageId === b.messageId;
  return b.kind !== 'edit' && isSameNarrow(a, b);
}

function mayTell(subject: Subject): boolean {
  if (subject.kind === 'edit') {
    const edited = message(subject.messageId);
    return edited !== undefined && mayTell(narrowOf(edited));
  }
  return mayTellIn(subject);
}

function mayTellIn(conversation: Conversation): boolean {
  const { user_settings: settings, user_id: own } = read();
  if (conversation.kind === 'direct') {
    const isToOthers = conversation.userIds.some((id) => id !== own);
    return settings?.['send_private_typing_notifications'] !== false && isToOthers;
  }
  const listeners = channel(conversation.channelId)?.subscriber_count ?? 0;
  return settings?.['send_stream_typing_notifications'] !== false && listeners <= MOST_LISTENERS;
}

function tell(op: 'start' | 'stop', subject: Subject): void {
  // It was deleted meanwhile, or is seen no longer.
  if (subject.kind === 'edit' && !messageNow(subject.messageId)) return;
  if (subject.kind === 'topic' && !isWritable(subject.channelId)) return;
  const [path, target] = addressOf(subject);
  // It matters only while it happens.
  call('POST', path, { op, ...target }).catch(() => {});
}

function isWritable(channelId: number): boolean {
  const place = channel(channelId);
  return place !== undefined && mayPostIn(place);
}

function addressOf(subject: Subject): [path: string, target: object] {
  if (subject.kind === 'edit') return [`/messages/${subject.messageId}/typing`, {}];
  if (subject.kind === 'direct') return ['/typing', { type: 'direct', to: subject.userIds }];
  return ['/typing', { type: 'channel', stream_id: subject.channelId, topic: subject.topic }];
}
