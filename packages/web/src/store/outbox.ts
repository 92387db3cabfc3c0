import { signal } from '@preact/signals';
import { call, NoAnswerError } from '../api/call';
import type { Narrow } from '../narrow/narrow';
import { onEvent, read } from './model';

/** A message that was written here and is not there yet. */
export interface Outgoing {
  localId: string;
  narrow: Extract<Narrow, { kind: 'topic' | 'direct' }>;
  content: string;
  /** Why it was not sent; null: it is on its way. */
  error: string | null;
}

export const outgoing = signal<readonly Outgoing[]>([]);
let lastLocalId = 0;

/** Shows the message at once and sends it. It stays until its event comes, or says why it was not sent. */
export function post(narrow: Outgoing['narrow'], content: string): void {
  lastLocalId += 1;
  const localId = `${Date.now()}.${lastLocalId}`;
  outgoing.value = [...outgoing.value, { localId, narrow, content, error: null }];
  void send(localId);
}

export function sendAgain(localId: string): void {
  change(localId, { error: null });
  void send(localId);
}

export function discard(localId: string): void {
  outgoing.value = outgoing.value.filter((each) => each.localId !== localId);
}

async function send(localId: string): Promise<void> {
  const own = outgoing.value.find((each) => each.localId === localId);
  if (!own) return;
  try {
    await call('POST', '/messages', { ...addressOf(own.narrow), content: own.content, ...identityOf(localId) });
    discard(localId);
  } catch (error) {
    const text = error instanceof NoAnswerError ? '' : (error as Error).message;
    change(localId, { error: text });
  }
}

function identityOf(localId: string) {
  const { queue_id } = read() as unknown as { queue_id: string };
  return { queue_id, local_id: localId };
}

function addressOf(narrow: Outgoing['narrow']) {
  if (narrow.kind === 'direct') return { type: 'direct', to: narrow.userIds };
  return { type: 'channel', to: narrow.channelId, topic: narrow.topic };
}

function change(localId: string, changes: Partial<Outgoing>): void {
  outgoing.value = outgoing.value.map((each) => (each.localId === localId ? { ...each, ...changes } : each));
}

onEvent((event) => {
  if (event.type === 'message' && typeof event['local_message_id'] === 'string') discard(event['local_message_id']);
});
