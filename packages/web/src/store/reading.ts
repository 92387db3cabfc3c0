import { signal } from '@preact/signals';
import { call, isPassing } from '../api/call';
import { type Narrow, termsOf } from '../narrow/narrow';
import { isRead, messageNow } from './messages';
import { read } from './model';

const EVERY_MS = 500;
const AGAIN_MS = 5_000;
/** At most in one request. */
const MOST = 1_000;
const waiting = new Set<number>();
let isTimed = false;

/** Messages from this one on stay unread although they are on the screen, until the person goes elsewhere. */
export const keptUnreadFrom = signal<number | null>(null);

const POLICY = { always: 1, inConversations: 2 };

/** Whether messages on the screen are marked as read, by the person's setting. */
export function readsByScrolling({ kind }: Narrow): boolean {
  const policy = read('settings').user_settings?.['web_mark_read_on_scroll_policy'] ?? POLICY.always;
  return policy === POLICY.always || (policy === POLICY.inConversations && (kind === 'topic' || kind === 'direct'));
}

/** Marks messages that were on the screen as read, some at a time. */
export function markRead(ids: readonly number[]): void {
  const keptFrom = keptUnreadFrom.value ?? Number.POSITIVE_INFINITY;
  for (const id of ids) {
    const each = id < keptFrom && messageNow(id);
    if (each && !isRead(each)) waiting.add(id);
  }
  if (!isTimed) sendIn(EVERY_MS);
}

function sendIn(ms: number): void {
  isTimed = waiting.size > 0;
  if (isTimed) setTimeout(send, ms);
}

async function send(): Promise<void> {
  const messages = [...waiting].slice(0, MOST);
  for (const id of messages) waiting.delete(id);
  try {
    await call('POST', '/messages/flags', { messages, op: 'add', flag: 'read' });
    sendIn(EVERY_MS);
  } catch (error) {
    // Seen is seen, also while there is no connection, or the server has no time.
    if (isPassing(error)) markRead(messages);
    sendIn(AGAIN_MS);
  }
}

interface Progress {
  last_processed_id: number | null;
  found_newest: boolean;
}

/** Changes the flag of a whole narrow, from a message on if one is given. */
async function changeAll(narrow: Narrow, op: 'add' | 'remove', fromId?: number): Promise<void> {
  let anchor: number | string = fromId ?? 'oldest';
  for (let isFirst = true; ; isFirst = false) {
    const { last_processed_id: lastId, found_newest }: Progress = await call<Progress>(
      'POST',
      '/messages/flags/narrow',
      {
        ...{ anchor, include_anchor: isFirst, num_before: 0, num_after: MOST },
        ...{ narrow: termsOf(narrow), op, flag: 'read' },
      },
    );
    if (found_newest || lastId === null) return;
    anchor = lastId;
  }
}

export const markAllRead = (narrow: Narrow) => changeAll(narrow, 'add');

export async function markUnreadFrom(narrow: Narrow, id: number): Promise<void> {
  keptUnreadFrom.value = id;
  waiting.clear();
  await changeAll(narrow, 'remove', id);
}
