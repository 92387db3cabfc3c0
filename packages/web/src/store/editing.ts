import { computed, signal } from '@preact/signals';
import type { Conversation } from '../narrow/narrow';

/** A message that is being edited in its place. */
export interface Edit {
  id: number;
  /** Where the message was when editing began. */
  conversation: Conversation;
  /** As it was when editing began; the server refuses the change if it is another by now. */
  before: string;
  text: string;
}

/** Kept here, because rows come and go while the person scrolls. */
export const edits = signal<ReadonlyMap<number, Edit>>(new Map());
export const editingIds = computed<ReadonlySet<number>>(() => new Set(edits.value.keys()));

export function startEdit(id: number, conversation: Conversation, content: string): void {
  if (!edits.value.has(id)) changeEdit({ id, conversation, before: content, text: content });
}

export function changeEdit(edit: Edit): void {
  edits.value = new Map(edits.value).set(edit.id, edit);
}

export function endEdit(id: number): void {
  const others = new Map(edits.value);
  others.delete(id);
  edits.value = others;
}
