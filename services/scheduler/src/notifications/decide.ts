import type { Slices } from '@parley/shared/batch';
import { type NotificationFacts, notificationFactsOf, USER_SETTING_DEFAULTS } from '@parley/shared/values';
import { isMention, type Notification, notificationOf, TOPIC_POLICY, type Trigger } from '../base/who-is-notified';
import { conversationOf } from '../missed-mails/conversation';
import { type GatheredMessage, mentionsEverybody, type SentEvent } from './gather-facts';

/** People who are notified of a message in the same way. */
export interface Notified {
  realmId: number;
  messageId: number;
  /** Names the conversation in which it was sent. */
  conversation: string;
  channelId: number | undefined;
  mail: Trigger | null;
  push: Trigger | null;
  /** How long mails wait for further messages. */
  batchingMs: number;
  userIds: number[];
}

const DEFAULT_BATCHING_SECS = Number(USER_SETTING_DEFAULTS.email_notifications_batching_period_seconds);

/** The people who are notified of a message; there may be thousands, of few kinds. */
export async function notifiedOf(gathered: GatheredMessage, slices: Slices): Promise<Notified[]> {
  const { event, people } = gathered;
  const { message } = event.payload;
  const { id: messageId, channelId } = message;
  const place = { realmId: event.realmId, messageId, channelId, conversation: conversationOf(message) };
  const decide = decisionOn(gathered);
  const news = newsOf(event.payload);
  const kinds = new Map<string, Notified>();
  for (const [index, userId] of people.userIds.entries()) {
    const { mail, push } = news(userId, decide(userId, people.facts[index] as number));
    if (mail !== null || push !== null) {
      const batchingMs = (people.batchingSecs[index] || DEFAULT_BATCHING_SECS) * 1000;
      const key = `${mail} ${push} ${batchingMs}`;
      const kind = kinds.get(key) ?? { ...place, mail, push, batchingMs, userIds: [] };
      kind.userIds.push(userId);
      kinds.set(key, kind);
    }
    if (slices.isUsedUp()) await slices.endSlice();
  }
  return [...kinds.values()];
}

const NOT_AT_ALL = { mail: null, push: null };

/** What is new to a person: of an edited message only that it mentions them now. */
function newsOf(payload: SentEvent['payload']): (userId: number, decided: Notification) => Notification {
  if (!('addedIds' in payload)) return (_userId, decided) => decided;
  const [added, mentioned] = [new Set(payload.addedIds), new Set(payload.mentionedIds)];
  const isNews = (userId: number) => added.has(userId) || (payload.addsWildcard && !mentioned.has(userId));
  const ofMention = (trigger: Trigger | null) => (isMention(trigger) ? trigger : null);
  return (userId, { mail, push }) => (isNews(userId) ? { mail: ofMention(mail), push: ofMention(push) } : NOT_AT_ALL);
}

/** How each of the people is notified; `bits` are their facts. */
function decisionOn({ event, alertedIds, policies }: GatheredMessage) {
  const { message, mentionedIds, mentionsTopic, topicParticipantIds } = event.payload;
  const [isRead, mentioned] = [readersOf(event.payload), new Set(mentionedIds)];
  const [isForAll, participants] = [mentionsEverybody(event.payload), new Set(topicParticipantIds)];
  const [isDirect, factsOf] = [message.channelId === undefined, factsByBits()];
  return (userId: number, bits: number) => {
    if (isRead(userId)) return NOT_AT_ALL;
    return notificationOf({
      isDirect,
      isMentioned: mentioned.has(userId),
      isMentionedWithAll: isForAll || (mentionsTopic && participants.has(userId)),
      hasAlertWord: alertedIds.has(userId),
      topicPolicy: policies.get(userId) ?? TOPIC_POLICY.none,
      facts: factsOf(bits),
    });
  };
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
function readersOf(payload: SentEvent['payload']): (userId: number) => boolean {
  const readers = new Set(payload.readByIds);
  const unreadFor = 'unreadForIds' in payload && payload.unreadForIds && new Set(payload.unreadForIds);
  return (userId) => readers.has(userId) || (unreadFor ? !unreadFor.has(userId) : false);
}
