import { alertFinder } from '../values';
import type { OwnFlags, Receiver } from './declare-event';

/** The facts that determine the flags of a message, besides the receivers' own. */
export interface FlagFacts {
  senderId: number;
  /** Its content as Markdown, which is searched for alert words. */
  text: string;
  sentAtMs: number;
  /** By name or as members of a group. */
  mentionedIds: readonly number[];
  mentionsChannel: boolean;
  mentionsTopic: boolean;
  /** The participants included in a mention of the topic. Absent or empty: everybody. */
  topicParticipantIds?: readonly number[];
}

/** The flags of each receiver on a message; shared facts are prepared once. */
export function flagsFor(facts: FlagFacts): (receiver: Receiver, own: OwnFlags) => string[] {
  const mentioned = new Set(facts.mentionedIds);
  const participants = new Set(facts.topicParticipantIds);
  const { senderId, text, sentAtMs, mentionsChannel, mentionsTopic } = facts;
  const findAlert = alertFinder(text, sentAtMs);
  // Called for each of possibly thousands: it is cheap.
  return ({ userId, alertWords, hasMuted }, { isRead, isStarred, isCollapsed, isReceived = true }) => {
    const isChannelMentioned = isReceived && mentionsChannel;
    const isTopicMentioned = isReceived && mentionsTopic && (participants.size === 0 || participants.has(userId));
    const flags = [
      (isRead || hasMuted(senderId)) && 'read',
      isStarred && 'starred',
      isCollapsed && 'collapsed',
      isReceived && mentioned.has(userId) && 'mentioned',
      isChannelMentioned && 'stream_wildcard_mentioned',
      isTopicMentioned && 'topic_wildcard_mentioned',
      // Deprecated union of the two, still read by clients.
      (isChannelMentioned || isTopicMentioned) && 'wildcard_mentioned',
      isReceived && findAlert(alertWords) && 'has_alert_word',
    ];
    return flags.filter((flag) => flag !== false);
  };
}
