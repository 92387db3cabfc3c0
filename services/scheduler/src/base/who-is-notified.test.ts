import { NOTIFICATION_FACTS, type NotificationFact, type NotificationFacts } from '@parley/shared/values';
import { isStillMailed, type MessageForPerson, notificationOf, TOPIC_POLICY, type Trigger } from './who-is-notified';

const MAILS = 'enable_offline_email_notifications';
const PUSHES = 'enable_offline_push_notifications';
const WILDCARDS = 'wildcard_mentions_notify';
const FOLLOWED_WILDCARDS = 'enable_followed_topic_wildcard_mentions_notify';
const FOLLOWED_MAILS = 'enable_followed_topic_email_notifications';
const FOLLOWED_PUSHES = 'enable_followed_topic_push_notifications';
const ALL_MAILS = 'enable_stream_email_notifications';
const ALL_PUSHES = 'enable_stream_push_notifications';

function facts(...names: NotificationFact[]): NotificationFacts {
  const entries = NOTIFICATION_FACTS.map((name) => [name, names.includes(name)]);
  return Object.fromEntries(entries) as NotificationFacts;
}

const QUIET = { isDirect: false, isMentioned: false, isMentionedWithAll: false, hasAlertWord: false, topicPolicy: 0 };
const { muted, unmuted, followed } = TOPIC_POLICY;

type Case = [string, Partial<MessageForPerson>, NotificationFact[], Trigger | null, Trigger | null];

const CASES: Case[] = [
  ['a message in a channel', {}, [MAILS, PUSHES], null, null],
  ['a direct message', { isDirect: true }, [MAILS, PUSHES], 'direct-message', 'direct-message'],
  ['a direct message, without mails', { isDirect: true }, [PUSHES], null, 'direct-message'],
  ['a direct message, without pushes', { isDirect: true }, [MAILS], 'direct-message', null],
  ['a direct message does not count as one of a channel', { isDirect: true }, [ALL_MAILS, ALL_PUSHES], null, null],
  ['of a muted sender', { isDirect: true }, [MAILS, PUSHES, 'isSenderMuted'], null, null],
  ['a mention of a muted sender', { isMentioned: true }, [MAILS, PUSHES, ALL_MAILS, 'isSenderMuted'], null, null],
  [
    'to somebody active: a mail later, no push',
    { isDirect: true },
    [MAILS, PUSHES, 'isActiveNow'],
    'direct-message',
    null,
  ],
  [
    'to somebody active who wants pushes all the same',
    { isDirect: true },
    [MAILS, PUSHES, 'isActiveNow', 'enable_online_push_notifications'],
    'direct-message',
    'direct-message',
  ],
  ['a mention', { isMentioned: true }, [MAILS, PUSHES], 'mention', 'mention'],
  ['a mention in a muted channel', { isMentioned: true }, [MAILS, PUSHES, 'isChannelMuted'], 'mention', 'mention'],
  ['a mention in a muted topic', { isMentioned: true, topicPolicy: muted }, [MAILS, PUSHES], 'mention', 'mention'],
  ['a mention, of which mails are not wanted', { isMentioned: true }, [PUSHES], null, 'mention'],
  ['a mention, where all messages are mailed', { isMentioned: true }, [ALL_MAILS], 'channel', null],
  ['an alert word', { hasAlertWord: true }, [MAILS, PUSHES], 'alert-word', 'alert-word'],
  ['an alert word in a muted channel', { hasAlertWord: true }, [MAILS, PUSHES, 'isChannelMuted'], null, null],
  ['an alert word in a muted topic', { hasAlertWord: true, topicPolicy: muted }, [MAILS, PUSHES], null, null],
  [
    'an alert word in an unmuted topic of a muted channel',
    { hasAlertWord: true, topicPolicy: unmuted },
    [MAILS, PUSHES, 'isChannelMuted'],
    'alert-word',
    'alert-word',
  ],
  ['a wildcard', { isMentionedWithAll: true }, [MAILS, PUSHES, WILDCARDS], 'wildcard', 'wildcard'],
  ['a wildcard that is not wanted', { isMentionedWithAll: true }, [MAILS, PUSHES], null, null],
  ['a wildcard in a muted channel', { isMentionedWithAll: true }, [MAILS, WILDCARDS, 'isChannelMuted'], null, null],
  [
    'a wildcard that is wanted in this channel only',
    { isMentionedWithAll: true },
    [MAILS, 'hasChannelWildcards', 'wantsChannelWildcards'],
    'wildcard',
    null,
  ],
  [
    'a wildcard that is not wanted in this channel',
    { isMentionedWithAll: true },
    [MAILS, PUSHES, WILDCARDS, 'hasChannelWildcards'],
    null,
    null,
  ],
  [
    'a wildcard in a followed topic',
    { isMentionedWithAll: true, topicPolicy: followed },
    [MAILS, PUSHES, FOLLOWED_WILDCARDS],
    'followed-topic-wildcard',
    'followed-topic-wildcard',
  ],
  [
    'a wildcard in a followed topic, as in others',
    { isMentionedWithAll: true, topicPolicy: followed },
    [MAILS, WILDCARDS],
    'wildcard',
    null,
  ],
  [
    'that setting is for followed topics only',
    { isMentionedWithAll: true, topicPolicy: unmuted },
    [MAILS, PUSHES, FOLLOWED_WILDCARDS],
    null,
    null,
  ],
  [
    'a followed topic',
    { topicPolicy: followed },
    [FOLLOWED_MAILS, FOLLOWED_PUSHES],
    'followed-topic',
    'followed-topic',
  ],
  ['a followed topic, mails only', { topicPolicy: followed }, [FOLLOWED_MAILS], 'followed-topic', null],
  ['a followed topic, pushes only', { topicPolicy: followed }, [FOLLOWED_PUSHES], null, 'followed-topic'],
  [
    'a followed topic of a muted channel',
    { topicPolicy: followed },
    [FOLLOWED_MAILS, 'isChannelMuted'],
    'followed-topic',
    null,
  ],
  ['a topic that is not followed', { topicPolicy: unmuted }, [FOLLOWED_MAILS, FOLLOWED_PUSHES], null, null],
  ['all channels', {}, [ALL_MAILS, ALL_PUSHES], 'channel', 'channel'],
  ['all channels but a muted one', {}, [ALL_MAILS, ALL_PUSHES, 'isChannelMuted'], null, null],
  ['all channels but a muted topic', { topicPolicy: muted }, [ALL_MAILS, ALL_PUSHES], null, null],
  ['all channels but this one', {}, [ALL_MAILS, 'hasChannelMails', ALL_PUSHES, 'hasChannelPushes'], null, null],
  ['this channel’s mails', {}, ['hasChannelMails', 'wantsChannelMails'], 'channel', null],
  ['this channel’s pushes', {}, ['hasChannelPushes', 'wantsChannelPushes'], null, 'channel'],
  ['this channel’s pushes, to somebody active', {}, [ALL_PUSHES, 'isActiveNow'], null, null],
];

test.each(CASES)('%s', (_name, message, names, mail, push) => {
  expect(notificationOf({ ...QUIET, ...message, facts: facts(...names) })).toEqual({ mail, push });
});

test.each<[Trigger, NotificationFact[], boolean]>([
  ['direct-message', [MAILS], true],
  ['direct-message', [ALL_MAILS, FOLLOWED_MAILS], false],
  ['mention', [MAILS], true],
  ['mention', [FOLLOWED_MAILS], false],
  ['mention', [ALL_MAILS], true],
  ['wildcard', [], false],
  ['followed-topic', [FOLLOWED_MAILS], true],
  ['followed-topic', [MAILS], false],
  ['channel', [], true],
])('a mail because of %s is wanted with %p: %p', (trigger, names, isWanted) => {
  expect(isStillMailed(trigger, facts(...names))).toBe(isWanted);
});

test('the first reason counts', () => {
  const everything = facts(...NOTIFICATION_FACTS.filter((name) => !/^is[AS]/.test(name)));
  const all = { isMentioned: true, isMentionedWithAll: true, hasAlertWord: true, topicPolicy: followed };
  const reasons: Trigger[] = [];
  for (const without of [{}, { isMentioned: false }, { hasAlertWord: false }, { isMentionedWithAll: false }]) {
    Object.assign(all, without);
    reasons.push(notificationOf({ ...QUIET, ...all, facts: everything }).mail as Trigger);
  }
  expect(reasons).toEqual(['mention', 'alert-word', 'followed-topic-wildcard', 'followed-topic']);
});
