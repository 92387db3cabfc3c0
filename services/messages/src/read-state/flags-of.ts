import { alertFinder } from '@parley/shared/values';
import type { MessageRow } from '../messages/message.sql';
import { hasReceived, isAddressed, type Reader } from '../messages/permissions';
import type { ShownState } from '../messages/shown-message.sql';
import { isRead } from './is-read';

/** The reader's flags for a message. What was not received counts as read unless marked otherwise, and is marked as seen later. */
export function flagsOf(message: MessageRow, reader: Reader, stored: ShownState): string[] {
  const isForReader = stored.isCalled || isAddressed(message, reader);
  const { mentionsReader, mentionsChannel, mentionsReaderInTopic: mentionsTopic } = message;
  const flags = {
    read: isRead(message, reader, stored),
    starred: stored.isStarred,
    collapsed: stored.isCollapsed,
    mentioned: isForReader && mentionsReader,
    stream_wildcard_mentioned: isForReader && mentionsChannel,
    topic_wildcard_mentioned: isForReader && mentionsTopic,
    // Deprecated union of the two, still read by clients.
    wildcard_mentioned: isForReader && (mentionsChannel || mentionsTopic),
    has_alert_word: isForReader && alertFinder(message.content, message.sentAtMs)(reader.alertWords),
    historical: !stored.isCalled && !stored.isGiven && !hasReceived(message, reader),
  };
  return Object.entries(flags).flatMap(([flag, isSet]) => (isSet ? [flag] : []));
}
