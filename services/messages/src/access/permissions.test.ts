import type { ChannelReadFacts, ChannelSendFacts, Organization, User } from '@parley/shared/proto';
import { exampleChannel, exampleUser, type PeerChannel } from '../../test/realm-peer';
import {
  accessChannel,
  checkPlaceGiven,
  checkRecipients,
  checkTopicsPolicy,
  hasReceived,
  mayRead,
  type Reader,
} from './permissions';

const bob = exampleUser(1, 2, 'Bob');
const gone = exampleUser(1, 3, 'Gone', { isActive: false });

/** Code and text of the public error that `work` throws. */
function refusal(work: () => unknown): string | null {
  try {
    work();
    return null;
  } catch (error) {
    const { code, message } = error as { code: string; message: string };
    return `${code}: ${message}`;
  }
}

describe('whom a direct message may be addressed to', () => {
  const none = { recipientIds: [], recipientEmails: [] };
  test.each<[string, Partial<typeof none> | object, User[], string | null]>([
    ['somebody by id', { recipientIds: [2] }, [bob], null],
    ['somebody by address, in any casing', { recipientEmails: [' BOB@example.com'] }, [bob], null],
    ['nobody by id', { recipientIds: [2, 9] }, [bob], 'BAD_REQUEST: Invalid user ID 9'],
    ['nobody by address', { recipientEmails: ['x@y'] }, [], "BAD_REQUEST: Invalid email 'x@y'"],
    ['a former user', { recipientIds: [3] }, [gone], "BAD_REQUEST: 'gone@example.com' is no longer using Parley."],
    ['nobody before a former user', { recipientIds: [3, 9] }, [gone], 'BAD_REQUEST: Invalid user ID 9'],
  ])('%s', (_, destination, recipients, expected) => {
    expect(refusal(() => checkRecipients({ ...none, ...destination }, recipients))).toBe(expected);
  });
});

describe('where a channel message may be posted', () => {
  const byName = (channelName: string) => ({ channelId: undefined, channelName, topic: '' });
  const byId = { channelId: 7, channelName: undefined, topic: '' };
  const facts = (channel: Partial<PeerChannel> = {}, sender: Partial<ChannelSendFacts> = {}): ChannelSendFacts => ({
    channel: exampleChannel(7, 'Lobby', channel),
    isSenderSubscribed: true,
    isInSendGroup: true,
    hasContentAccess: true,
    isReachedByOwnerOnly: false,
    isHidden: false,
    isMuted: false,
    mayCreateTopics: true,
    isHistoryProtected: false,
    seenIntervals: [],
    ...sender,
  });
  const stranger = { hasContentAccess: false, isSenderSubscribed: false };

  test.each<[string, Parameters<typeof accessChannel>, string | null]>([
    ['a channel by name', [byName('lobby'), facts()], null],
    ['a public one without a subscription', [byId, facts({}, { isSenderSubscribed: false })], null],
    ['no channel by id', [byId, null], "STREAM_DOES_NOT_EXIST: Channel with ID '7' does not exist"],
    [
      'no channel by name, as HTML',
      [byName('<b>&"\''), null],
      "STREAM_DOES_NOT_EXIST: Channel '&lt;b&gt;&amp;&quot;&#x27;' does not exist",
    ],
    ['an empty name', [byName(''), null], "BAD_REQUEST: Channel name can't be empty."],
    ['a name of 60 code points', [byName('😀'.repeat(60)), facts()], null],
    [
      'a name of 61 code points',
      [byName('😀'.repeat(61)), null],
      'BAD_REQUEST: Channel name too long (limit: 60 characters).',
    ],
    ['a control character', [byName('a\tb'), null], 'BAD_REQUEST: Invalid character in channel name, at position 2.'],
    [
      'without permission to post',
      [byId, facts({}, { isInSendGroup: false })],
      'BAD_REQUEST: You do not have permission to post in this channel.',
    ],
    [
      'an archived channel',
      [byId, facts({ isArchived: true })],
      "BAD_REQUEST: Not authorized to send to channel 'Lobby'",
    ],
    [
      'one that the sender may not know of, by name',
      [byName('lobby'), facts({ isPrivate: true }, { ...stranger, isHidden: true, isInSendGroup: false })],
      "STREAM_DOES_NOT_EXIST: Channel 'lobby' does not exist",
    ],
    [
      'one that the sender may not know of, by id',
      [byId, facts({ isPrivate: true, isArchived: true }, { ...stranger, isHidden: true })],
      "STREAM_DOES_NOT_EXIST: Channel with ID '7' does not exist",
    ],
    [
      "a stranger's channel by name",
      [byName('lobby'), facts({ isPrivate: true }, stranger)],
      "BAD_REQUEST: Not authorized to send to channel 'lobby'",
    ],
    [
      'a hidden channel by id, whose name is not revealed',
      [byId, facts({ isPrivate: true }, stranger)],
      "BAD_REQUEST: Not authorized to send to channel '7'",
    ],
    [
      "a bot's default channel that it may know of, but not read",
      [{ ...byId, channelId: undefined }, facts({ isPrivate: true }, stranger)],
      "BAD_REQUEST: Not authorized to send to channel 'Lobby'",
    ],
    [
      'permission to post is asked for before access',
      [byId, facts({ isArchived: true }, { ...stranger, isInSendGroup: false })],
      'BAD_REQUEST: You do not have permission to post in this channel.',
    ],
    [
      'what answers where it was called',
      [byId, facts({ isPrivate: true }, { ...stranger, isInSendGroup: false }), true],
      null,
    ],
    [
      'an answer in an archived channel',
      [byId, facts({ isArchived: true }, stranger), true],
      "BAD_REQUEST: Not authorized to send to channel '7'",
    ],
  ])('%s', (_, parameters, expected) => {
    expect(refusal(() => accessChannel(...parameters))).toBe(expected);
  });

  const unsaid = { channelId: undefined, channelName: undefined, topic: '' };
  test.each<[string, Parameters<typeof checkPlaceGiven>, string | null]>([
    ['a channel that is named, whether there is one or not', [byId, null], null],
    ['the channel that the sender writes to by default', [unsaid, facts()], null],
    ['it, without a topic', [{ ...unsaid, isTopicMissing: true }, facts()], 'BAD_REQUEST: Missing topic'],
    [
      'one by default that the sender may not know of',
      [unsaid, facts({}, { ...stranger, isHidden: true })],
      'BAD_REQUEST: Missing channel',
    ],
    ['none by default', [{ ...unsaid, isTopicMissing: true }, null], 'BAD_REQUEST: Missing channel'],
  ])('given is %s', (_, parameters, expected) => {
    expect(refusal(() => checkPlaceGiven(...parameters))).toBe(expected);
  });

  test('a missing channel is named in the error', () => {
    expect(() => accessChannel(byId, null)).toThrow(expect.objectContaining({ fields: { stream_id: 7 } }));
    expect(() => accessChannel(byName('x'), null)).toThrow(expect.objectContaining({ fields: { stream: 'x' } }));
  });
});

describe('the policy for topics', () => {
  const disabled = 'BAD_REQUEST: Sending messages to the general chat topic is not allowed in this channel.';
  const only = 'BAD_REQUEST: Only the general chat topic is allowed in this channel.';
  test.each<[channel: string, realm: string, topic: string, string | null]>([
    ['inherit', 'allow_empty_topic', '', null],
    ['inherit', 'allow_empty_topic', 'x', null],
    ['inherit', 'disable_empty_topic', '', disabled],
    ['inherit', 'disable_empty_topic', 'x', null],
    ['allow_empty_topic', 'disable_empty_topic', '', null],
    ['disable_empty_topic', 'allow_empty_topic', '', disabled],
    ['empty_topic_only', 'allow_empty_topic', 'x', only],
    ['empty_topic_only', 'disable_empty_topic', '', null],
  ])('channel %s, organization %s, topic "%s"', (channel, realm, topic, expected) => {
    expect(refusal(() => checkTopicsPolicy(topic, channel, realm))).toBe(expected);
  });
});

describe('the right to read a message', () => {
  const member: ChannelReadFacts = {
    channelId: 7,
    name: 'Lobby',
    mayReadHistory: true,
    hasContentAccess: true,
    isSubscribed: true,
    isMuted: false,
    isPublic: true,
    isWebPublic: false,
    isArchived: false,
    isHidden: false,
    intervals: [{ fromVersion: 3, toVersion: 5 }, { fromVersion: 8 }],
    subscriptionVersion: 9,
  };
  const readerOf = (facts: Partial<ChannelReadFacts> | null): Reader => ({
    userId: 1,
    realm: {} as Organization,
    mutedUserIds: new Set(),
    alertWords: [],
    channels: new Map(facts ? [[7, { ...member, ...facts }]] : []),
  });
  const sentAt = (sentVersion: number) => ({
    channelId: 7,
    sentChannelId: 7,
    sentVersion,
    movedVersion: null,
    participantIds: null,
  });
  const direct = (...participantIds: number[]) => ({
    channelId: null,
    sentChannelId: null,
    sentVersion: null,
    movedVersion: null,
    participantIds,
  });
  const isProtected = { mayReadHistory: false };
  const hasLeft = { mayReadHistory: false, hasContentAccess: false, isSubscribed: false };

  test.each<
    [string, ReturnType<typeof sentAt> | ReturnType<typeof direct>, Partial<ChannelReadFacts> | null, boolean, boolean]
  >([
    // what, message, the reader's channel, has received, may read
    ['before the subscription', sentAt(2), {}, false, true],
    ['at its first version', sentAt(3), {}, true, true],
    ['at its last version', sentAt(4), {}, true, true],
    ['at the version of leaving', sentAt(5), {}, false, true],
    ['since coming back', sentAt(9), {}, true, true],
    ['protected history, received', sentAt(8), isProtected, true, true],
    ['protected history, not received', sentAt(7), isProtected, false, false],
    ['a private channel left, received', sentAt(4), { ...hasLeft, isPublic: false }, false, false],
    ['a public channel that a guest has left, received', sentAt(4), hasLeft, true, false],
    [
      'a private channel to which a group has access, received',
      sentAt(4),
      { isSubscribed: false, isPublic: false },
      true,
      true,
    ],
    ['a private channel left, sent since', sentAt(5), hasLeft, false, false],
    ['a channel that the reader does not know', sentAt(4), null, false, false],
    ['a direct message to the reader', direct(1, 2), null, true, true],
    ['a direct message among others', direct(2, 3), null, false, false],
  ])('%s', (_, message, facts, received, readable) => {
    expect([hasReceived(message, readerOf(facts)), mayRead(message, readerOf(facts))]).toEqual([received, readable]);
  });
});
