import { effect, signal } from '@preact/signals';
import { ApiError, call, isPassing } from '../api/call';
import { isSameNarrow, type Narrow } from '../narrow/narrow';
import { message } from './message-lists';
import { isReady, link, onEvent, read } from './model';

/** A message that was written here and is not there yet. */
export interface Outgoing {
  /** Names the message to the server as well, however often it is sent. */
  localId: string;
  narrow: Extract<Narrow, { kind: 'topic' | 'direct' }>;
  content: string;
  writtenAt: number;
  /** Why it was not sent; null: it is on its way. */
  error: string | null;
  /** There was no answer: it is sent again by itself. */
  isWaiting: boolean;
  /** It was sent; its event comes soon. */
  id?: number;
}

/** In the order in which they were written. */
export const outgoing = signal<readonly Outgoing[]>([]);

/** The server knows for a day which messages it has. Later, only the person can tell whether to send it again. */
const KNOWN_FOR_MS = 20 * 60 * 60_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
/** After an answer, the event is waited for so long: without its queue, it may never come. */
const EVENT_WITHIN_MS = 5_000;
/** A connection that broke without a word is given up after this time. */
const ANSWER_WITHIN_MS = 30_000;

/** Shows the message at once and sends it. It stays until its event comes, or says why it was not sent. */
export function post(narrow: Outgoing['narrow'], content: string): void {
  const writtenAt = Date.now();
  const own: Outgoing = { localId: newLocalId(), narrow, content, writtenAt, error: null, isWaiting: false };
  outgoing.value = [...outgoing.value, own];
  void sendAll();
}

/** Unlike those of all other tabs and pages; crypto.randomUUID is missing on plain http. */
export function newLocalId(): string {
  const [a = 0, b = 0] = crypto.getRandomValues(new Uint32Array(2));
  return `${Date.now().toString(36)}.${a.toString(36)}${b.toString(36)}`;
}

export function sendAgain(localId: string): void {
  change(localId, { error: null, isWaiting: false });
  hurry();
}

export function discard(localId: string): void {
  outgoing.value = outgoing.value.filter((each) => each.localId !== localId);
}

/** The waiting messages that the view shows. */
export function outgoingIn(narrow: Narrow): readonly Outgoing[] {
  return outgoing.value.filter(({ narrow: own }) => {
    if (narrow.kind === 'feed') return true;
    if (narrow.kind === 'channel') return own.kind === 'topic' && own.channelId === narrow.channelId;
    return isSameNarrow(own, narrow);
  });
}

let isSending = false;
let pauseMs = FIRST_PAUSE_MS;
let timer: ReturnType<typeof setTimeout> | undefined;

/** One after the other, so that they arrive in the order in which they were written. */
async function sendAll(): Promise<void> {
  if (isSending) return;
  isSending = true;
  clearTimeout(timer);
  timer = undefined;
  try {
    for (let next = firstUnsent(); next; next = firstUnsent()) await send(next);
    pauseMs = FIRST_PAUSE_MS;
  } catch (error) {
    pause(error);
  } finally {
    isSending = false;
  }
}

function firstUnsent(): Outgoing | undefined {
  return outgoing.value.find(({ error, id }) => error === null && id === undefined);
}

async function send({ localId, narrow, content }: Outgoing): Promise<void> {
  // The queue may be another one when it is sent again, so the key alone says that it is the same message.
  const identity = { queue_id: read().queue_id, local_id: localId };
  try {
    const parameters = { ...addressOf(narrow), content, ...identity };
    const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
    const { id } = await call<{ id: number }>('POST', '/messages', parameters, { key: localId, signal });
    awaitEvent(localId, id);
  } catch (error) {
    if (isPassing(error)) throw error;
    change(localId, { error: (error as Error).message, isWaiting: false });
  }
}

function pause(error: unknown): void {
  outgoing.value = outgoing.value.map((each) =>
    each.error === null && each.id === undefined ? { ...each, isWaiting: true } : each,
  );
  const asked = error instanceof ApiError ? Number(error.fields['retry-after'] ?? 0) * 1_000 : 0;
  timer = setTimeout(() => void sendAll(), Math.max(asked, pauseMs * (0.5 + Math.random())));
  pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
}

function hurry(): void {
  pauseMs = FIRST_PAUSE_MS;
  void sendAll();
}

function awaitEvent(localId: string, id: number): void {
  if (message(id)) {
    discard(localId);
    return;
  }
  change(localId, { id, isWaiting: false });
  setTimeout(() => discard(localId), EVENT_WITHIN_MS);
}

function addressOf(narrow: Outgoing['narrow']) {
  if (narrow.kind === 'direct') return { type: 'direct', to: narrow.userIds };
  return { type: 'channel', to: narrow.channelId, topic: narrow.topic };
}

function change(localId: string, changes: Partial<Outgoing>): void {
  outgoing.value = outgoing.value.map((each) => (each.localId === localId ? { ...each, ...changes } : each));
}

onEvent((event) => {
  if (event.type !== 'message') return;
  const { id } = event['message'] as { id: number };
  const isIt = (each: Outgoing) => each.id === id || each.localId === event['local_message_id'];
  if (outgoing.value.some(isIt)) outgoing.value = outgoing.value.filter((each) => !isIt(each));
});

effect(() => {
  if (link.value === 'up' && outgoing.peek().length > 0) hurry();
});

// Kept for the page that is loaded next in this tab: what was not sent is sent then, with the same key.
const keptAs = () => `outbox/${read().user_id}`;
let isRestored = false;

effect(() => {
  if (!isReady.value) return;
  if (!isRestored) restore();
  const unsent = outgoing.value.filter(({ id }) => id === undefined);
  if (unsent.length > 0) sessionStorage.setItem(keptAs(), JSON.stringify(unsent));
  else sessionStorage.removeItem(keptAs());
});

function restore(): void {
  isRestored = true;
  const kept = JSON.parse(sessionStorage.getItem(keptAs()) ?? '[]') as Outgoing[];
  const isOld = ({ writtenAt }: Outgoing) => Date.now() - writtenAt > KNOWN_FOR_MS;
  if (kept.length === 0) return;
  outgoing.value = [
    ...kept.map((each) => (isOld(each) ? { ...each, error: '', isWaiting: false } : each)),
    ...outgoing.peek(),
  ];
  void sendAll();
}
