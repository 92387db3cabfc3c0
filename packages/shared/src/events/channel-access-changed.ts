import { declareEvent } from './declare-event';

export interface ChannelAccessChanged {
  channelId: number;
  /** What is theirs to read, or no more: what they received there, or also the history. */
  of: 'content' | 'history';
  gainedIds: readonly number[];
  lostIds: readonly number[];
}

/**
 * Users may read a channel that was closed to them, or no more, and nothing else tells so: they know of it as before, and are in it, or not,
 * as before. The messages service tells them what is starred and decided by them there.
 */
export const channelAccessChanged = declareEvent<ChannelAccessChanged>()('channel-access.changed', []);
