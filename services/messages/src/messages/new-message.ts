import type { MessageSent } from '@parley/shared/events';
import type { Message } from '@parley/shared/proto';

/** The event as decided. What only the database knows is left out: the ids of the message and of its conversation. */
export type PendingMessageSent = Omit<MessageSent, 'message'> & { message: Omit<Message, 'id' | 'recipientId'> };

/** A message as decided, before it is stored. The row and the event are both made of `sent`, so that they cannot disagree. */
export interface NewMessage {
  /** See sendKeyOf(); null: a repeated send is another message. */
  key: string | null;
  sent: PendingMessageSent;
}

const PAYLOAD_START = '{"message":{';

/**
 * The event's payload without its beginning, `{"message":{"id":…,"recipientId":…,`: the payload is serialized here, once, and the
 * statement that stores the message puts in front of it the ids that it gives.
 */
export function serializeAfterIds({ message, ...rest }: PendingMessageSent): string {
  return JSON.stringify({ message, ...rest }).slice(PAYLOAD_START.length);
}
