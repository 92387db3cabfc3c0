import type { ReadableMessage } from './is-read';
import type { StoredReadState } from './read-state.sql';

/** A message that somebody marks: what decides on it and what is told of it, without its text. */
export interface MarkableMessage extends ReadableMessage, Omit<StoredReadState, 'messageId'> {
  id: number;
  conversationId: number;
  topic: string;
  mentionsReader: boolean;
}
