import { type Facts, type Ways, waysOf } from './notification-rules';

const QUIET = { desktop: false, sound: false };
const BOTH = { desktop: true, sound: true };
const channel = {
  is_muted: false,
  desktop_notifications: null,
  audible_notifications: null,
  wildcard_mentions_notify: null,
};
const settings = {
  enable_desktop_notifications: true,
  enable_sounds: true,
  enable_stream_desktop_notifications: false,
  enable_stream_audible_notifications: false,
  enable_followed_topic_desktop_notifications: true,
  enable_followed_topic_audible_notifications: true,
  wildcard_mentions_notify: true,
};
const inChannel: Facts = {
  ...{ isOwn: false, isDirect: false, flags: [], isSenderMuted: false },
  ...{ channel, topicPolicy: 0, settings },
};
const direct: Facts = { ...inChannel, isDirect: true, channel: undefined };
const mention: Facts = { ...inChannel, flags: ['mentioned'] };
const everybody: Facts = { ...inChannel, flags: ['stream_wildcard_mentioned'] };
const muted = { ...channel, is_muted: true };

test.each<[string, Facts, Ways]>([
  ['a direct message', direct, BOTH],
  ['one’s own message', { ...direct, isOwn: true }, QUIET],
  ['a message that is read', { ...direct, flags: ['read'] }, QUIET],
  ['a message of somebody muted', { ...direct, isSenderMuted: true }, QUIET],
  [
    'a direct message without a sound',
    { ...direct, settings: { ...settings, enable_sounds: false } },
    { desktop: true, sound: false },
  ],
  ['a mention by an edit', { ...mention, isEdited: true }, BOTH],
  [
    'an edit where all messages of the channel notify',
    { ...inChannel, isEdited: true, channel: { ...channel, desktop_notifications: true } },
    QUIET,
  ],
  ['a message of a channel', inChannel, QUIET],
  [
    'one of a channel that notifies',
    { ...inChannel, channel: { ...channel, desktop_notifications: true } },
    { desktop: true, sound: false },
  ],
  [
    'one of a channel, all of which notify',
    { ...inChannel, settings: { ...settings, enable_stream_audible_notifications: true } },
    { desktop: false, sound: true },
  ],
  [
    'one of a channel that is an exception',
    {
      ...inChannel,
      channel: { ...channel, desktop_notifications: false },
      settings: { ...settings, enable_stream_desktop_notifications: true },
    },
    QUIET,
  ],
  ['a followed topic', { ...inChannel, topicPolicy: 3 }, BOTH],
  ['a followed topic of a muted channel', { ...inChannel, topicPolicy: 3, channel: muted }, BOTH],
  [
    'a muted topic of a channel that notifies',
    { ...inChannel, topicPolicy: 1, channel: { ...channel, desktop_notifications: true } },
    QUIET,
  ],
  ['a mention', mention, BOTH],
  ['a mention in a muted channel', { ...mention, channel: muted }, BOTH],
  ['an alert word', { ...inChannel, flags: ['has_alert_word'] }, BOTH],
  ['an alert word in a muted channel', { ...inChannel, flags: ['has_alert_word'], channel: muted }, QUIET],
  ['a mention of everybody', everybody, BOTH],
  ['a mention of everybody in a muted channel', { ...everybody, channel: muted }, QUIET],
  [
    'a mention of everybody that the channel keeps quiet',
    { ...everybody, channel: { ...channel, wildcard_mentions_notify: false } },
    QUIET,
  ],
])('%s', (_name, facts, ways) => {
  expect(waysOf(facts)).toEqual(ways);
});
