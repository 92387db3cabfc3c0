import type { NotificationFacts } from '@parley/shared/values';

/** Why a person is notified of a message. */
export type Trigger =
  | 'direct-message'
  | 'mention'
  | 'alert-word'
  | 'followed-topic-wildcard'
  | 'wildcard'
  | 'followed-topic'
  | 'channel';

/** A person's policy for a topic. */
export const TOPIC_POLICY = { none: 0, muted: 1, unmuted: 2, followed: 3 } as const;

/** What counts, of a message and of a person who received it and has not read it. */
export interface MessageForPerson {
  isDirect: boolean;
  /** By name, or as a member of a group. Silent mentions are none. */
  isMentioned: boolean;
  /** With everybody in the channel or topic. */
  isMentionedWithAll: boolean;
  hasAlertWord: boolean;
  topicPolicy: number;
  facts: NotificationFacts;
}

/** Null: not in this way. */
export interface Notification {
  /** A mail, unless the person reads the message before the mail is due, or is active then. */
  mail: Trigger | null;
  push: Trigger | null;
}

/** Whether a person is notified of a message, how, and why. */
export function notificationOf(message: MessageForPerson): Notification {
  const { facts } = message;
  if (facts.isSenderMuted) return { mail: null, push: null };
  const personal = personalTrigger(message);
  const hasMails = personal !== null && facts.enable_offline_email_notifications;
  const hasPushes = personal !== null && facts.enable_offline_push_notifications;
  const isPushed = !facts.isActiveNow || facts.enable_online_push_notifications;
  return {
    mail: hasMails ? personal : ofChannel(message, 'Mails'),
    push: isPushed ? (hasPushes ? personal : ofChannel(message, 'Pushes')) : null,
  };
}

/** Whether the person still wants mails for that reason, which counted when the message was sent, by their settings of now. */
export function isStillMailed(trigger: Trigger, facts: NotificationFacts): boolean {
  if (trigger === 'direct-message') return facts.enable_offline_email_notifications;
  // Whether a single channel is mailed is not among the facts without the channel.
  if (trigger === 'channel' || facts[SETTINGS.Mails.all]) return true;
  return trigger === 'followed-topic' ? facts[SETTINGS.Mails.followed] : facts.enable_offline_email_notifications;
}

const WILDCARDS = ['stream_wildcard_mentioned', 'topic_wildcard_mentioned'];
/** The flags of a message, one of which a person has for the reason; other reasons are not in the message. */
const FLAGS_OF: Partial<Record<string, readonly string[]>> = {
  mention: ['mentioned'],
  'alert-word': ['has_alert_word'],
  wildcard: WILDCARDS,
  'followed-topic-wildcard': WILDCARDS,
} satisfies Partial<Record<Trigger, readonly string[]>>;

/** Whether the message, with the person's present flags, still is a reason to notify them: an edit may have removed it. */
export function isStillReason(trigger: string, flags: readonly string[]): boolean {
  return FLAGS_OF[trigger]?.some((flag) => flags.includes(flag)) ?? true;
}

/** Whether the reason is a mention. */
export function isMention(trigger: Trigger | null): boolean {
  return trigger === 'mention' || trigger === 'wildcard' || trigger === 'followed-topic-wildcard';
}

/** Messages for the person in particular. A mention passes through mutes of topics and channels. */
function personalTrigger(message: MessageForPerson): Trigger | null {
  const { isDirect, isMentioned, hasAlertWord } = message;
  if (isDirect) return 'direct-message';
  if (isMentioned) return 'mention';
  if (isMuted(message)) return null;
  return hasAlertWord ? 'alert-word' : wildcardTrigger(message);
}

function wildcardTrigger({ isMentionedWithAll, topicPolicy, facts }: MessageForPerson): Trigger | null {
  if (!isMentionedWithAll) return null;
  const isFollowed = topicPolicy === TOPIC_POLICY.followed;
  if (isFollowed && facts.enable_followed_topic_wildcard_mentions_notify) return 'followed-topic-wildcard';
  const isWanted = facts.hasChannelWildcards ? facts.wantsChannelWildcards : facts.wildcard_mentions_notify;
  return isWanted ? 'wildcard' : null;
}

const SETTINGS = {
  Mails: { all: 'enable_stream_email_notifications', followed: 'enable_followed_topic_email_notifications' },
  Pushes: { all: 'enable_stream_push_notifications', followed: 'enable_followed_topic_push_notifications' },
} as const;

/** All messages of a followed topic or of a channel, for those who want them. */
function ofChannel(message: MessageForPerson, way: keyof typeof SETTINGS): Trigger | null {
  if (message.isDirect || isMuted(message)) return null;
  const { facts, topicPolicy } = message;
  const { all, followed } = SETTINGS[way];
  if (topicPolicy === TOPIC_POLICY.followed && facts[followed]) return 'followed-topic';
  return (facts[`hasChannel${way}`] ? facts[`wantsChannel${way}`] : facts[all]) ? 'channel' : null;
}

/** An unmuted or followed topic of a muted channel is not muted. */
function isMuted({ topicPolicy, facts }: MessageForPerson): boolean {
  return topicPolicy === TOPIC_POLICY.muted || (topicPolicy === TOPIC_POLICY.none && facts.isChannelMuted);
}
