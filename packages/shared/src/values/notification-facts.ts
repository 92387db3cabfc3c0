/**
 * What decides, besides a message and its topic, whether a person is notified of it. Realm answers one bit for each, in this order.
 * Of a channel's own settings there are two bits: whether the person has chosen, and what.
 */
export const NOTIFICATION_FACTS = [
  'isActiveNow',
  'isSenderMuted',
  'isChannelMuted',
  'hasChannelMails',
  'wantsChannelMails',
  'hasChannelPushes',
  'wantsChannelPushes',
  'hasChannelWildcards',
  'wantsChannelWildcards',
  'enable_offline_email_notifications',
  'enable_offline_push_notifications',
  'enable_online_push_notifications',
  'enable_stream_email_notifications',
  'enable_stream_push_notifications',
  'enable_followed_topic_email_notifications',
  'enable_followed_topic_push_notifications',
  'wildcard_mentions_notify',
  'enable_followed_topic_wildcard_mentions_notify',
] as const;

export type NotificationFact = (typeof NOTIFICATION_FACTS)[number];

export type NotificationFacts = Readonly<Record<NotificationFact, boolean>>;

/** The facts of one person, from their bits; called by the scheduler. */
export function notificationFactsOf(bits: number): NotificationFacts {
  const entries = NOTIFICATION_FACTS.map((name, index) => [name, (bits & (1 << index)) !== 0]);
  return Object.fromEntries(entries) as NotificationFacts;
}
