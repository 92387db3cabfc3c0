import { type NotificationFacts, notificationFactsOf, USER_SETTING_DEFAULTS } from '@parley/shared/values';
import { conversationOf } from '../missed-mails/conversation';
import { type GatheredMessage, mentionsEverybody } from './gather-facts';
import { notificationOf, TOPIC_POLICY, type Trigger } from './who-is-notified';

/** A message of which a person is notified. */
export interface Notified {
  realmId: number;
  userId: number;
  messageId: number;
  /** Names the conversation in which it was sent. */
  conversation: string;
  channelId: number | undefined;
  mail: Trigger | null;
  push: Trigger | null;
  /** How long mails wait for further messages. */
  batchingMs: number;
}

const DEFAULT_BATCHING_SECS = Number(USER_SETTING_DEFAULTS.email_notifications_batching_period_seconds);

/** The people who are notified of a message. */
export function notifiedOf({ event, alertedIds, policies, people }: GatheredMessage): Notified[] {
  const { message, mentionedIds, topicParticipantIds } = event.payload;
  const [isRead, mentioned] = [readersOf(event.payload), new Set(mentionedIds)];
  const [isForAll, participants] = [mentionsEverybody(event.payload), new Set(topicParticipantIds)];
  const factsOf = factsByBits();
  const { id: messageId, channelId } = message;
  const place = { realmId: event.realmId, messageId, channelId, conversation: conversationOf(message) };
  return people.userIds.flatMap((userId, index) => {
    if (isRead(userId)) return [];
    const { mail, push } = notificationOf({
      isDirect: message.channelId === undefined,
      isMentioned: mentioned.has(userId),
      isMentionedWithAll: isForAll || (event.payload.mentionsTopic && participants.has(userId)),
      hasAlertWord: alertedIds.has(userId),
      topicPolicy: policies.get(userId) ?? TOPIC_POLICY.none,
      facts: factsOf(people.facts[index] as number),
    });
    if (mail === null && push === null) return [];
    const batchingMs = (people.batchingSecs[index] || DEFAULT_BATCHING_SECS) * 1000;
    return [{ ...place, userId, mail, push, batchingMs }];
  });
}

/** Thousands of people have few different settings. */
function factsByBits(): (bits: number) => NotificationFacts {
  const known = new Map<number, NotificationFacts>();
  return (bits) => {
    const facts = known.get(bits) ?? notificationFactsOf(bits);
    known.set(bits, facts);
    return facts;
  };
}

/** Some messages start as read. */
function readersOf({ readByIds, unreadForIds }: GatheredMessage['event']['payload']): (userId: number) => boolean {
  const readers = new Set(readByIds);
  const unreadFor = unreadForIds && new Set(unreadForIds);
  return (userId) => readers.has(userId) || unreadFor?.has(userId) === false;
}
