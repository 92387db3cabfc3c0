import type { ChannelEditFacts } from '@parley/shared/proto';
import { exampleChannel, type PeerChannel } from '../../test/realm-peer';
import { audienceInChannel, audienceOfMessage, audiencesOfMove } from './edit-audiences';

const ACTOR = 1;
const [MEMBER_GUEST, OTHER_GUEST] = [8, 9];
const open = exampleChannel(10, 'open', { subscriptionVersion: 5 });
const web = exampleChannel(11, 'web', { subscriptionVersion: 6, isWebPublic: true });
const shared = exampleChannel(12, 'shared', { subscriptionVersion: 7, isPrivate: true });
const guarded = exampleChannel(13, 'guarded', { subscriptionVersion: 8, isPrivate: true, isHistoryPublic: false });

const sentIn = ({ id }: PeerChannel, sentVersion: number) => ({
  channelId: id,
  sentChannelId: id,
  sentVersion,
  movedVersion: null,
});
const movedTo = ({ id }: PeerChannel, movedVersion: number) => ({
  channelId: id,
  sentChannelId: 99,
  sentVersion: 1,
  movedVersion,
});
const factsOf = (channel: PeerChannel, guestIds: number[] = []) =>
  ({ channel, send: null, permissions: [], guestIds }) as unknown as ChannelEditFacts;
const met = ({ id }: PeerChannel, versions: number[], wereSubscribed = true) => ({
  channelId: id,
  versions,
  wereSubscribed,
});

test.each([
  [open, [], true],
  [web, [], true],
  [shared, [], false],
  [guarded, [met(guarded, [2, 4])], false],
])(
  'events of a channel go to its subscribers and, if it is public, to holders of the message: $name',
  (channel, conditions, isPublic) => {
    const messages = [sentIn(channel, 2), sentIn(channel, 2), movedTo(channel, 4)];
    const { id: channelId, subscriptionVersion: version } = channel;
    const heldAt = [
      { channelId, versions: [2] },
      { channelId: 99, versions: [1] },
    ];
    const held = isPublic ? { heldAt, isOpenToGuests: channel === web } : {};
    const expected = { to: 'subscribers', channelId, version, isPublic, alsoIds: [ACTOR], conditions, ...held };
    expect(audienceInChannel(channel, messages, [ACTOR])).toEqual(expected);
  },
);

describe('the audience of a private channel includes readers without a subscription', () => {
  const [HOLDER, FORMER, LATER] = [20, 21, 22];
  const during = (fromVersion: number, toVersion: number) => [{ fromVersion, toVersion }];
  const readers = [
    { userId: HOLDER, intervals: [] },
    { userId: FORMER, intervals: during(1, 3) },
    { userId: LATER, intervals: during(3, 5) },
  ];
  const outsiders = { queriedIds: new Set([HOLDER, 30]), readers };

  test.each([
    ['what they have something of their own on', [sentIn(shared, 6)], [HOLDER, 30], [HOLDER]],
    ['what they have received there', [sentIn(shared, 2)], [], [FORMER]],
    ['what was moved there in their time', [movedTo(shared, 4), sentIn(shared, 6)], [], [LATER]],
    ['and of nothing else', [sentIn(shared, 5)], [30], undefined],
  ])('%s', (_what, messages, holderIds, expected) => {
    const audience = audienceInChannel({ ...shared, outsiders }, messages, [ACTOR], holderIds);
    expect(audience.holderIds).toEqual(expected);
    expect(audience).not.toHaveProperty('heldAt');
  });

  test('and none if none were loaded', () => {
    expect(audienceInChannel(shared, [sentIn(shared, 2)], [ACTOR], [HOLDER])).not.toHaveProperty('holderIds');
  });
});

test.each([
  ['open', open, 'web', web, { heldAt: [{ channelId: 10, versions: [2] }], isOpenToGuests: true }, null],
  [
    'web',
    web,
    'open',
    open,
    { exceptIds: [MEMBER_GUEST, OTHER_GUEST], isOpenToGuests: false },
    { to: 'users', userIds: [MEMBER_GUEST, OTHER_GUEST] },
  ],
  [
    'open',
    open,
    'shared',
    shared,
    { isPublic: false, conditions: [met(shared, [7])] },
    { conditions: [met(shared, [7], false)] },
  ],
  [
    'guarded',
    guarded,
    'shared',
    shared,
    { isPublic: false, conditions: [met(guarded, [2]), met(shared, [7])] },
    { conditions: [met(guarded, [2]), met(shared, [7], false)] },
  ],
])('a move from %s to %s', (_from, from, _to, to, keepers, losers) => {
  const facts = factsOf(from, [MEMBER_GUEST, OTHER_GUEST]);
  const audiences = audiencesOfMove(facts, factsOf(to), [sentIn(from, 2)], ACTOR);
  expect(audiences.keepers).toMatchObject({ channelId: from.id, alsoIds: [ACTOR], ...keepers });
  if (losers) expect(audiences.losers).toMatchObject(losers);
  else expect(audiences.losers).toBeNull();
});

describe('an event of one message', () => {
  const channels = new Map([open, guarded].map((channel) => [channel.id, channel]));
  const audienceOf = (message: ReturnType<typeof sentIn | typeof movedTo>) =>
    audienceOfMessage({ ...message, participantIds: null }, channels, [], []);

  test('has the input for its holders’ flags: when it was sent and, in another channel, moved', () => {
    expect(audienceOf(sentIn(open, 2))).toMatchObject({ version: 5, receivedAt: [{ channelId: 10, version: 2 }] });
    expect(audienceOf(movedTo(guarded, 4))).toMatchObject({
      version: 8,
      receivedAt: [
        { channelId: 99, version: 1 },
        { channelId: 13, version: 4 },
      ],
    });
    expect(() => audienceOf(sentIn(web, 2))).toThrow('realm does not know channel 11');
  });

  test('goes to the participants of a direct conversation', () => {
    const nowhere = { channelId: null, sentChannelId: null, sentVersion: null, movedVersion: null };
    const direct = { ...nowhere, participantIds: [1, 2] };
    expect(audienceOfMessage(direct, channels, [], [])).toEqual({ to: 'users', userIds: [1, 2] });
  });
});
