import { tracedPayload } from '@parley/shared/bus';
import type { MessageSent, WebhookCall } from '@parley/shared/events';
import type { Message } from '@parley/shared/proto';
import type { TopicPoliciesOfSend } from '../conversations/automatic-policy';
import type { Widget } from './widget';

/** The event, without the ids that the database assigns: of the message, of its conversation and of its widget. */
export type PendingMessageSent = Omit<MessageSent, 'message'> & {
  message: Omit<Message, 'id' | 'recipientId' | 'submessages'>;
};

/** A message before it is stored. The row and the event are both derived from `sent`, so they cannot differ. */
export interface NewMessage {
  /** See sendKeyOf(); null: a repetition is another message. */
  key: string | null;
  /** See sendDigestOf(); absent: not compared with earlier sends of the key. */
  keyDigest?: string | null;
  sent: PendingMessageSent;
  /** Becomes the first submessage. */
  widget?: Widget | null;
  /** Of a channel message. */
  policies?: TopicPoliciesOfSend | null;
  /** Of the uploaded files that it links to. */
  attachmentIds?: readonly number[];
  /** Null or absent: it calls no bots. */
  call?: WebhookCall | null;
  /** It is the first message of a quiet channel. */
  wakesChannel?: boolean;
  /** Linked pages, whose cards are added after the message is stored. */
  cardUrls?: readonly string[];
}

const PAYLOAD_START = '{"message":{';

/**
 * The event's payload without its beginning, `{"message":{"id":…,"recipientId":…,"submessages":…,`: it is serialized once, here,
 * and the statement that stores the message prepends the ids that it assigns.
 */
export function serializeAfterIds({ message, ...rest }: PendingMessageSent): string {
  return JSON.stringify({ message, ...tracedPayload(rest) }).slice(PAYLOAD_START.length);
}
