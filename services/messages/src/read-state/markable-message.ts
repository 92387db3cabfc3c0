import type { ReadableMessage } from './is-read';
import type { StoredReadState } from './read-state.sql';

/** A message that somebody marks: what decides on it and what is told of it, without its text. */
export interface MarkableMessage extends ReadableMessage, Omit<StoredReadState, 'messageId'> {
  id: number;
  conversationId: number;
  topic: string;
  /** By name or as a member of a group. */
  mentionsReader: boolean;
  /** It mentions all in the channel, or in a topic that the reader has taken part in. */
  hasWildcard: boolean;
}
