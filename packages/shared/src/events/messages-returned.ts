import { declareEvent } from './declare-event';

export interface MessagesReturned {
  messageIds: readonly number[];
  /** Where they were, and where they are. */
  fromChannelId: number;
  channelId: number;
  /** The subscription version at which the first of them came to where they were: users there since then had all of them. */
  heldSince: number;
}

/**
 * Messages that had been moved before went to another channel again, maybe back. The messages service tells those who are in this one, and
 * were not in the other, what is unread for them again.
 */
export const messagesReturned = declareEvent<MessagesReturned>()('messages.returned', []);
