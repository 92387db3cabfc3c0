import type { Audience } from '@parley/shared/events';
import { subscriber } from '../../test/eg';
import { ChannelSubscribers } from './channel-subscribers';
import { ResolvedAudience } from './resolved-audience';

const [SUBSCRIBED, LEFT, LATE, FAR] = [1, 2, 3, 4];
const EVERYONE = [SUBSCRIBED, LEFT, LATE, FAR];

/** At version 2 only the first is subscribed. */
const subscribers = new ChannelSubscribers(3, [subscriber(SUBSCRIBED, 1), subscriber(LEFT, 1, 2), subscriber(LATE, 3)]);

const inChannel = (fields: Partial<Extract<Audience, { to: 'subscribers' }>>): Audience => ({
  to: 'subscribers',
  channelId: 10,
  version: 2,
  isPublic: false,
  ...fields,
});

const met = (...versions: number[]) => ({ channelId: 11, versions, wereSubscribed: true });
const unmet = (...versions: number[]) => ({ channelId: 11, versions, wereSubscribed: false });

const had = (version: number) => ({ channelId: 11, version });

const held = (channelId: number, ...versions: number[]) => ({ channelId, versions });

const audiences: [Audience, string[]][] = [
  [{ to: 'users', userIds: [] }, ['stranger', 'stranger', 'stranger', 'stranger']],
  [{ to: 'users', userIds: [LEFT, FAR, LEFT] }, ['stranger', 'receiver', 'stranger', 'receiver']],
  [{ to: 'realm' }, ['receiver', 'receiver', 'receiver', 'receiver']],
  [{ to: 'realm', exceptIds: [] }, ['receiver', 'receiver', 'receiver', 'receiver']],
  [{ to: 'realm', exceptIds: [LEFT, FAR] }, ['receiver', 'stranger', 'receiver', 'stranger']],
  [inChannel({}), ['receiver', 'stranger', 'stranger', 'stranger']],
  [inChannel({ isPublic: true }), ['receiver', 'listener', 'listener', 'listener']],
  [inChannel({ alsoIds: [FAR, SUBSCRIBED] }), ['receiver', 'stranger', 'stranger', 'receiver']],
  [inChannel({ alsoIds: [LATE], isPublic: true }), ['receiver', 'listener', 'receiver', 'listener']],
  [inChannel({ exceptIds: [SUBSCRIBED] }), ['stranger', 'stranger', 'stranger', 'stranger']],
  [inChannel({ exceptIds: [LATE], isPublic: true }), ['receiver', 'listener', 'stranger', 'listener']],
  [inChannel({ conditions: [met(1)] }), ['receiver', 'stranger', 'stranger', 'stranger']],
  [inChannel({ version: 3, conditions: [met(1)] }), ['receiver', 'stranger', 'stranger', 'stranger']],
  [inChannel({ version: 3, conditions: [met(2, 3)] }), ['receiver', 'stranger', 'receiver', 'stranger']],
  [inChannel({ version: 3, conditions: [unmet(1)] }), ['stranger', 'stranger', 'receiver', 'stranger']],
  [inChannel({ isPublic: true, conditions: [unmet(1)] }), ['stranger', 'stranger', 'listener', 'listener']],
  [inChannel({ alsoIds: [FAR], conditions: [met(1), unmet(2)] }), ['stranger', 'stranger', 'stranger', 'receiver']],
  [inChannel({ version: 3, receivedAt: [had(2)] }), ['receiver', 'stranger', 'receiver', 'stranger']],
  [inChannel({ alsoIds: [SUBSCRIBED, FAR], receivedAt: [had(1)] }), ['receiver', 'stranger', 'stranger', 'receiver']],
  [inChannel({ holderIds: [LEFT, FAR] }), ['receiver', 'holder', 'stranger', 'holder']],
  [inChannel({ holderIds: [FAR], conditions: [met(1)] }), ['receiver', 'stranger', 'stranger', 'stranger']],
  [inChannel({ holderIds: [SUBSCRIBED, FAR], heldAt: [held(10, 1)] }), ['receiver', 'holder', 'stranger', 'holder']],
  [inChannel({ holderIds: [FAR], isOpenToGuests: true }), ['receiver', 'stranger', 'stranger', 'receiver']],
  [
    inChannel({ version: 3, conditions: [unmet(1)], receivedAt: [had(3)] }),
    ['stranger', 'stranger', 'receiver', 'stranger'],
  ],
  [inChannel({ version: 3, heldAt: [held(10, 1)] }), ['receiver', 'holder', 'receiver', 'stranger']],
  [inChannel({ heldAt: [held(10, 1)], isOpenToGuests: true }), ['receiver', 'receiver', 'stranger', 'stranger']],
  [inChannel({ isPublic: true, heldAt: [held(11, 2, 3)] }), ['receiver', 'listener', 'holder', 'listener']],
  [
    inChannel({ version: 3, exceptIds: [LEFT], heldAt: [held(10, 1)] }),
    ['receiver', 'stranger', 'receiver', 'stranger'],
  ],
  [
    inChannel({ version: 3, conditions: [met(3)], heldAt: [held(10, 1)] }),
    ['receiver', 'stranger', 'receiver', 'stranger'],
  ],
  [
    inChannel({ conditions: [unmet(3)], receivedAt: [had(1)], heldAt: [held(10, 1)] }),
    ['stranger', 'holder', 'stranger', 'stranger'],
  ],
  [inChannel({ alsoIds: [LEFT, FAR], exceptIds: [FAR] }), ['receiver', 'receiver', 'stranger', 'stranger']],
];

const knownOf = ({ channels }: ResolvedAudience) => (channels.length > 0 ? channels.map(() => subscribers) : undefined);

test.each(audiences)('to %j the four users are %j', (audience, relations) => {
  const resolved = new ResolvedAudience(audience);
  expect(EVERYONE.map((userId) => resolved.relationOf(userId, knownOf(resolved)))).toEqual(relations);
});

const [HAS, HAD, SEES, MAY_SEE] = [
  { isReceived: true, isThere: true, isLasting: true },
  { isReceived: true, isThere: false, isLasting: false },
  { isReceived: false, isThere: true, isLasting: false },
  { isReceived: false, isThere: false, isLasting: false },
];

test.each<[Audience, object[]]>([
  [{ to: 'users', userIds: [SUBSCRIBED] }, [HAS, HAS, HAS, HAS]],
  [inChannel({}), [HAS, MAY_SEE, SEES, MAY_SEE]],
  [inChannel({ receivedAt: [had(1)] }), [HAS, HAD, SEES, MAY_SEE]],
  [inChannel({ receivedAt: [had(1), had(2)], place: had(3) }), [HAS, MAY_SEE, SEES, MAY_SEE]],
  [inChannel({ conditions: [met(1)], receivedAt: [had(3)], heldAt: [held(10, 1)] }), [HAS, MAY_SEE, HAS, MAY_SEE]],
])('of the message of %j the four users have %j', (audience, copies) => {
  const resolved = new ResolvedAudience(audience);
  expect(EVERYONE.map((userId) => resolved.copyOf(userId, knownOf(resolved)))).toEqual(copies);
});

test('a user who rejoined has received the message, by a subscription that has ended', () => {
  const there = new ChannelSubscribers(3, [
    { userId: LEFT, intervals: [{ fromVersion: 1, toVersion: 2 }, { fromVersion: 3 }] },
  ]);
  const elsewhere = new ChannelSubscribers(3, []);
  const audience = { version: 3, receivedAt: [{ channelId: 10, version: 1 }] };
  const copyIn = (place: ChannelSubscribers) =>
    new ResolvedAudience(inChannel({ ...audience, place: had(3) })).copyOf(LEFT, [there, there, place]);
  expect(copyIn(there)).toEqual({ isReceived: true, isThere: true, isLasting: false });
  expect(copyIn(elsewhere)).toEqual(HAD);
});

describe.each([
  ['few users wait', EVERYONE],
  ['many users wait', [...EVERYONE, ...Array.from({ length: 100 }, (_, index) => 1_000 + index)]],
])('when %s', (_title, waitingIds) => {
  const known = { userCount: waitingIds.length, userIds: () => waitingIds };

  test.each(audiences)('the receivers and holders in %j are among the candidates, each once', (audience, relations) => {
    const resolved = new ResolvedAudience(audience);
    const candidates = [...resolved.candidates(known, knownOf(resolved))];
    expect(new Set(candidates).size).toBe(candidates.length);
    const hears = (relation: string | undefined) => relation === 'receiver' || relation === 'holder';
    const receivers = candidates.filter((userId) => hears(resolved.relationOf(userId, knownOf(resolved))));
    const expected = EVERYONE.filter((_, index) => hears(relations[index]));
    expect(receivers.filter((userId) => userId < 1_000).sort()).toEqual(expected);
    expect(receivers.length).toBe(
      audience.to === 'realm' ? waitingIds.length - EVERYONE.length + expected.length : expected.length,
    );
  });
});

test.each<[Audience, number, string | undefined]>([
  [inChannel({ alsoIds: [LEFT], exceptIds: [FAR] }), LEFT, 'receiver'],
  [inChannel({ alsoIds: [LEFT], exceptIds: [FAR] }), FAR, 'stranger'],
  [inChannel({ alsoIds: [LEFT], exceptIds: [FAR] }), SUBSCRIBED, undefined],
  [{ to: 'users', userIds: [FAR] }, LEFT, 'stranger'],
])('for %j the role of user %d is decided without the subscribers: %s', (audience, userId, relation) => {
  expect(new ResolvedAudience(audience).relationOf(userId, undefined)).toBe(relation);
});

test('the lists are read once, however many receivers there are', () => {
  let reads = 0;
  const userIds = Array.from({ length: 1_000 }, (_, index) => index);
  const counted = new Proxy(userIds, {
    get: (list, name, self) => {
      reads += 1;
      return Reflect.get(list, name, self);
    },
  });
  const resolved = new ResolvedAudience({ to: 'users', userIds: counted });
  const readsToBuild = reads;
  for (let userId = 0; userId < 5_000; userId += 1) resolved.relationOf(userId, undefined);
  expect(reads).toBe(readsToBuild);
});
