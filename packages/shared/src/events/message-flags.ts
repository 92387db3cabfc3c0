import { alertFinder } from '../values';
import type { Receiver } from './declare-event';

/** What the flags of a message depend on, receiver by receiver. */
export interface FlagFacts {
  senderId: number;
  /** Its content as Markdown, in which alert words are looked for. */
  text: string;
  sentAtMs: number;
  readByIds: readonly number[];
  /** Present: everybody but these has read it. */
  unreadForIds?: readonly number[];
  starredByIds?: readonly number[];
  collapsedByIds?: readonly number[];
  /** By name or as members of a group. */
  mentionedIds: readonly number[];
  mentionsChannel: boolean;
  mentionsTopic: boolean;
  /** Whom a mention of the topic means: those who have taken part in it. Absent or empty: everybody. */
  topicParticipantIds?: readonly number[];
}

/** The flags that receivers of a message have on it; what all of them depend on is prepared once. */
export function flagsFor(facts: FlagFacts): (receiver: Receiver) => string[] {
  const [readers, mentioned] = [new Set(facts.readByIds), new Set(facts.mentionedIds)];
  const [starrers, collapsers] = [new Set(facts.starredByIds), new Set(facts.collapsedByIds)];
  const unreadFor = facts.unreadForIds && new Set(facts.unreadForIds);
  const participants = new Set(facts.topicParticipantIds);
  const { senderId, text, sentAtMs, mentionsChannel, mentionsTopic } = facts;
  const findAlert = alertFinder(text, sentAtMs);
  // For each of maybe thousands: it is cheap.
  return ({ userId, alertWords, hasMuted }) => {
    const isTopicMentioned = mentionsTopic && (participants.size === 0 || participants.has(userId));
    const hasRead = readers.has(userId) || unreadFor?.has(userId) === false || hasMuted(senderId);
    const flags = [
      hasRead && 'read',
      starrers.has(userId) && 'starred',
      collapsers.has(userId) && 'collapsed',
      mentioned.has(userId) && 'mentioned',
      mentionsChannel && 'stream_wildcard_mentioned',
      isTopicMentioned && 'topic_wildcard_mentioned',
      // Deprecated union of the two, still read by clients.
      (mentionsChannel || isTopicMentioned) && 'wildcard_mentioned',
      findAlert(alertWords) && 'has_alert_word',
    ];
    return flags.filter((flag) => flag !== false);
  };
}
