import type { FlagFacts } from '@parley/shared/events';
import type { MessageRow } from './message.sql';

/** Whom a message mentions: as loaded with it, the rest is in its row. */
export interface Mentioned {
  mentionedIds: readonly number[];
  /** Whom a mention of the topic means. */
  topicParticipantIds: readonly number[];
}

/** What the flags of those who are told of a change of the message follow from, beside what they have set on it. */
export function flagFactsOf(
  { senderId, sentAtMs, content, mentionsChannel, mentionsTopic }: MessageRow,
  { mentionedIds, topicParticipantIds }: Mentioned,
): FlagFacts {
  return { senderId, text: content, sentAtMs, mentionedIds, mentionsChannel, mentionsTopic, topicParticipantIds };
}
