import { effect, type Signal, signal } from '@preact/signals';
import type { Conversation, Narrow } from '../narrow/narrow';
import { isReady, read, registration, type StoredDraft } from './model';
import { go } from './place';

/** To whom something is written; while it is written, the channel or the people may be open. */
export type Target =
  | { kind: 'channel'; channelId: number | null; topic: string }
  | { kind: 'direct'; userIds: readonly number[] };

/** How much of the target the view decides: all of it, the channel only, or nothing. */
export type Fixed = 'all' | 'channel' | 'nothing';

/** A text that is being written. */
export class Writing {
  readonly target: Signal<Target>;
  readonly content = signal('');
  /** Where the cursor is, or what is selected; the text field follows when it is set from elsewhere. */
  readonly selection = signal({ start: 0, end: 0 });
  /** Counts the changes that came from elsewhere than the text field. */
  readonly changes = signal(0);
  /** The draft on the server. */
  draftId: number | null = null;
  /** Its content, as far as this tab knows. */
  savedContent = '';
  /** Its target, as it was saved. */
  savedTarget: Target;

  constructor(
    readonly key: string,
    readonly fixed: Fixed,
    target: Target,
  ) {
    this.target = signal(target);
    this.savedTarget = target;
  }

  /** Puts a text where the cursor is, on lines of its own if it has several. */
  insert(text: string): void {
    const { start, end } = this.selection.value;
    const [before, after] = [this.content.value.slice(0, start), this.content.value.slice(end)];
    const gap = before === '' || /\s$/.test(before) ? '' : text.includes('\n') ? '\n' : ' ';
    this.replace(before + gap + text + after, start + gap.length + text.length);
  }

  /** From elsewhere than the text field. */
  replace(content: string, cursor = content.length): void {
    this.content.value = content;
    this.selection.value = { start: cursor, end: cursor };
    this.changes.value += 1;
  }

  /** Continues a draft. */
  take({ id, content }: Pick<StoredDraft, 'id' | 'content'>): void {
    this.draftId = id;
    this.savedContent = content;
    this.savedTarget = this.target.peek();
    this.replace(content);
  }

  /** When it was sent. The topic stays: people write several messages to one. */
  clear(): void {
    this.draftId = null;
    this.savedContent = '';
    this.replace('');
  }
}

/** A message that is written apart from the place where the person is. */
export const newMessage = signal<Writing | null>(null);
/** Counts requests to write: the text field takes the focus. */
export const focusRequests = signal(0);

/** By place. */
const writings = new Map<string, Writing>();
let newest = 0;

function newKey(): string {
  newest += 1;
  return `${newest}`;
}

/** The text being written in a view; null: none. */
export function writingAt(narrow: Narrow): Writing | null {
  if (narrow.kind !== 'topic' && narrow.kind !== 'direct' && narrow.kind !== 'channel') return null;
  const target = targetOf(narrow);
  const key = placeKeyOf(narrow);
  const known = writings.get(key);
  if (known) return known;
  const writing = new Writing(newKey(), narrow.kind === 'channel' ? 'channel' : 'all', target);
  writings.set(key, writing);
  const draft = read().drafts?.find((each) => keyOf(targetOfDraft(each)) === keyOf(target));
  if (draft) writing.take(draft);
  return writing;
}

/**
 * What is being written goes along with its conversation: the same field, with its cursor and uploads. Returns it; null: nothing went.
 * Where something is written at the new place already, an empty field stays behind.
 */
export function moveWriting(from: Conversation, to: Conversation): Writing | null {
  const writing = writings.get(placeKeyOf(from));
  if (!writing || (writing.content.peek() === '' && writingAt(to)?.content.peek() !== '')) return null;
  writings.delete(placeKeyOf(from));
  writings.set(placeKeyOf(to), writing);
  writing.target.value = targetOf(to);
  return writing;
}

/** What is being written in the conversation of this target, if its view was open. */
export function knownWritingTo(target: Target): Writing | undefined {
  const conversation = conversationOf(target);
  return conversation ? writings.get(placeKeyOf(conversation)) : undefined;
}

/** All that were begun in this tab. */
export function allWritings(): Writing[] {
  const apart = newMessage.peek();
  return apart ? [...writings.values(), apart] : [...writings.values()];
}

/** Begins a message apart from the place; its recipients have the focus first. */
export function startMessage(target: Target): Writing {
  const writing = new Writing(newKey(), 'nothing', target);
  newMessage.value = writing;
  return writing;
}

/** Goes to the conversation, if one is given, puts the text where the cursor is, and lets the person write. */
export function write(text: string, narrow?: Narrow): void {
  if (narrow) {
    newMessage.value = null;
    go(narrow);
  }
  const writing = narrow ? writingAt(narrow) : current.value;
  const own = writing ?? startMessage({ kind: 'channel', channelId: null, topic: '' });
  if (text !== '') own.insert(text);
  focusRequests.value += 1;
}

/** The one that is shown now; kept by the compose box. */
export const current = signal<Writing | null>(null);

export function targetOf(narrow: WrittenAt): Target {
  if (narrow.kind === 'direct') return { kind: 'direct', userIds: narrow.userIds };
  return { kind: 'channel', channelId: narrow.channelId, topic: narrow.kind === 'topic' ? narrow.topic : '' };
}

export function targetOfDraft({ type, to, topic }: Pick<StoredDraft, 'type' | 'to' | 'topic'>): Target {
  if (type !== 'private') return { kind: 'channel', channelId: to[0] ?? null, topic };
  const others = to.filter((id) => id !== read().user_id);
  return { kind: 'direct', userIds: others.length > 0 ? others : to };
}

/** The conversation of a target; null: it is not complete. */
export function conversationOf(target: Target): Conversation | null {
  if (target.kind === 'direct') return target.userIds.length > 0 ? { ...target } : null;
  const { channelId, topic } = target;
  return channelId === null ? null : { kind: 'topic', channelId, topic: topic.trim() };
}

type WrittenAt = Extract<Narrow, { kind: 'topic' | 'direct' | 'channel' }>;

const placeKeyOf = (narrow: WrittenAt) => `${read().user_id}/${keyOf(targetOf(narrow))}/${narrow.kind}`;

/** Targets with the same key are the same. */
function keyOf(target: Target): string {
  if (target.kind === 'direct') return `direct/${[...target.userIds].sort((a, b) => a - b).join()}`;
  return `channel/${target.channelId}/${target.topic.toLowerCase()}`;
}

// Somebody else may have signed in.
effect(() => {
  void registration.value;
  if (!isReady.value) return;
  const own = `${read().user_id}/`;
  for (const key of writings.keys()) if (!key.startsWith(own)) writings.delete(key);
});
