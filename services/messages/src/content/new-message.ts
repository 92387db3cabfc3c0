import { tracedPayload } from '@parley/shared/bus';
import type { MessageSent, WebhookCall } from '@parley/shared/events';
import type { Message } from '@parley/shared/proto';
import type { TopicPoliciesOfSend } from '../conversations/automatic-policy';
import type { Widget } from './widget';

/** The event as decided. What only the database knows is left out: the ids of the message, of its conversation and of its widget. */
export type PendingMessageSent = Omit<MessageSent, 'message'> & {
  message: Omit<Message, 'id' | 'recipientId' | 'submessages'>;
};

/** A message as decided, before it is stored. The row and the event are both made of `sent`, so that they cannot disagree. */
export interface NewMessage {
  /** See sendKeyOf(); null: a repeated send is another message. */
  key: string | null;
  /** See sendDigestOf(); absent: whatever was sent with the key before is the same. */
  keyDigest?: string | null;
  sent: PendingMessageSent;
  /** Becomes its first submessage. */
  widget?: Widget | null;
  /** Of a channel message. */
  policies?: TopicPoliciesOfSend | null;
  /** Of the uploaded files that it links to. */
  attachmentIds?: readonly number[];
  /** Null or absent: it calls no bots. */
  call?: WebhookCall | null;
  /** It is the first one for long in a channel that is quiet. */
  wakesChannel?: boolean;
  /** Pages whose cards it gets once it is stored. */
  cardUrls?: readonly string[];
}

const PAYLOAD_START = '{"message":{';

/**
 * The event's payload without its beginning, `{"message":{"id":…,"recipientId":…,"submessages":…,`: the payload is serialized here, once, and the
 * statement that stores the message puts in front of it the ids that it gives.
 */
export function serializeAfterIds({ message, ...rest }: PendingMessageSent): string {
  return JSON.stringify({ message, ...tracedPayload(rest) }).slice(PAYLOAD_START.length);
}
