import type { MessageRow } from './message.sql';
import { hasReceived, type Reader } from './permissions';

/**
 * The reader's flags for a message. What was not received counts as read, and is marked as seen later. Of what was received, only
 * what began as read is read, as their own messages may: marking messages as read is not built yet.
 */
export function flagsOf(message: MessageRow, reader: Reader): string[] {
  if (!hasReceived(message, reader)) return ['read', 'historical'];
  const isOwnRead = message.senderId === reader.userId && message.isReadBySender;
  const isRead = isOwnRead || message.readByIds.includes(reader.userId);
  const flags = {
    read: isRead,
    mentioned: message.mentionsReader,
    stream_wildcard_mentioned: message.mentionsChannel,
    topic_wildcard_mentioned: message.mentionsTopic,
    // Deprecated union of the two, still read by clients.
    wildcard_mentioned: message.mentionsChannel || message.mentionsTopic,
  };
  return Object.entries(flags).flatMap(([flag, isSet]) => (isSet ? [flag] : []));
}
