import { call } from '../api/call';
import type { Conversation } from '../narrow/narrow';
import { isSameNarrow } from '../narrow/narrow';
import { channel, read } from './model';

// Says that the person types, as often as the server wants to know, and that they have stopped.

/** The server tells nobody in larger channels. */
const MOST_LISTENERS = 100;

interface Notice {
  conversation: Conversation;
  saidAt: number;
  stopTimer: ReturnType<typeof setTimeout>;
}

let notice: Notice | null = null;

/** After each change of the text. */
export function noticeTyping(conversation: Conversation): void {
  const {
    server_typing_stopped_wait_period_milliseconds: stopMs,
    server_typing_started_wait_period_milliseconds: againMs,
  } = read();
  if (notice && !isSameNarrow(notice.conversation, conversation)) stopTyping();
  if (!mayTell(conversation)) return;
  const isToldAlready = notice !== null && Date.now() - notice.saidAt < againMs;
  if (!isToldAlready) tell('start', conversation);
  clearTimeout(notice?.stopTimer);
  const saidAt = isToldAlready ? (notice?.saidAt ?? 0) : Date.now();
  notice = { conversation, saidAt, stopTimer: setTimeout(stopTyping, stopMs) };
}

/** When the message was sent, or the person leaves. */
export function stopTyping(): void {
  if (!notice) return;
  clearTimeout(notice.stopTimer);
  tell('stop', notice.conversation);
  notice = null;
}

function mayTell(conversation: Conversation): boolean {
  const { user_settings: settings, user_id: own } = read();
  if (conversation.kind === 'direct') {
    const isToOthers = conversation.userIds.some((id) => id !== own);
    return settings?.['send_private_typing_notifications'] !== false && isToOthers;
  }
  const listeners = channel(conversation.channelId)?.subscriber_count ?? 0;
  return settings?.['send_stream_typing_notifications'] !== false && listeners <= MOST_LISTENERS;
}

function tell(op: 'start' | 'stop', conversation: Conversation): void {
  const target =
    conversation.kind === 'direct'
      ? { type: 'direct', to: conversation.userIds }
      : { type: 'channel', stream_id: conversation.channelId, topic: conversation.topic };
  // It matters only while it happens.
  call('POST', '/typing', { op, ...target }).catch(() => {});
}
