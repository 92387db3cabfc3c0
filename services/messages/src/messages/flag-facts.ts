import type { FlagFacts } from '@parley/shared/events';
import { beganUnreadFor } from '../read-state/began-read';
import type { FlagHolders } from '../read-state/flag-holders.sql';
import type { MessageRow } from './message.sql';

/** Whom a message mentions, and who has set what on it: as loaded with it, the rest is in its row. */
export interface Flagged extends FlagHolders {
  mentionedIds: readonly number[];
  /** Whom a mention of the topic means. */
  topicParticipantIds: readonly number[];
}

/** What the flags of those follow from who are told of a change of the message. */
export function flagFactsOf(
  { senderId, sentAtMs, content, readByIds, mentionsChannel, mentionsTopic }: MessageRow,
  { hasReadIds, starredByIds, collapsedByIds, mentionedIds, topicParticipantIds }: Flagged,
): FlagFacts {
  const unreadForIds = beganUnreadFor(readByIds);
  return {
    senderId,
    text: content,
    sentAtMs,
    readByIds: hasReadIds,
    ...(unreadForIds && { unreadForIds }),
    starredByIds,
    collapsedByIds,
    mentionedIds,
    mentionsChannel,
    mentionsTopic,
    topicParticipantIds,
  };
}
