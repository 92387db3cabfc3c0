import { call } from '../api/call';
import { message } from './message-lists';

const EVERY_MS = 500;
const waiting = new Set<number>();
let timer: ReturnType<typeof setTimeout> | undefined;

/** Marks messages that were on the screen as read, some at a time. */
export function markRead(ids: readonly number[]): void {
  for (const id of ids) if (message(id)?.flags.includes('read') === false) waiting.add(id);
  if (waiting.size > 0 && timer === undefined) timer = setTimeout(send, EVERY_MS);
}

async function send(): Promise<void> {
  const messages = [...waiting];
  waiting.clear();
  timer = undefined;
  try {
    await call('POST', '/messages/flags', { messages, op: 'add', flag: 'read' });
  } catch {
    // They stay unread, and are tried again when they are seen the next time.
  }
}
