import { signal } from '@preact/signals';
import type { Narrow } from '../narrow/narrow';
import { go } from './place';

/** A text that another part of the client puts into what is being written, e.g. a quote. */
export interface Insertion {
  text: string;
}

/** Taken by the compose box, which sets it to null. */
export const insertion = signal<Insertion | null>(null);
/** Counts requests to write: the compose box takes the focus. */
export const focusRequests = signal(0);

/** Goes to the conversation, if one is given, puts the text where the cursor is, and lets the person write. */
export function write(text: string, narrow?: Narrow): void {
  if (narrow) go(narrow);
  if (text !== '') insertion.value = { text };
  focusRequests.value += 1;
}
