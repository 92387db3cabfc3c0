import type { Audience } from '@parley/shared/events';
import { peersAdded, peersRemoved } from '@parley/shared/events';
import type { Channel } from '@parley/shared/proto';
import { type ChangedChannel, ownAdditionEvents, ownRemovalEvents, peerEvents } from './subscription-events';

const REALM_ID = 1;
const [ANN, BOB, GUEST] = [10, 11, 12];
const everybody = { to: 'realm' } as Audience;

const channel = (id: number, over: Partial<Channel> = {}): Channel => ({
  ...{ id, name: `channel ${id}`, description: '', renderedDescription: '', topicsPolicy: 'inherit', createdAtMs: 0 },
  ...{ isPrivate: false, isWebPublic: false, isHistoryPublic: true, isArchived: false, postPolicy: 1 },
  ...{ subscriptionVersion: 3, subscriberCount: 2, groupSettings: {} },
  ...over,
});
const changed = (id: number, userIds: number[], audience = everybody): ChangedChannel => ({
  channel: channel(id),
  audience,
  change: { channelId: id, version: 3, userIds },
});
const insiders = (channelId: number, alsoIds: number[]): Audience => ({
  ...{ to: 'subscribers', channelId, version: 3, isPublic: false },
  alsoIds,
});
const beginning = (channelId: number, userId: number, color = '#76ce90') => ({
  ...{ channelId, userId },
  properties: { color, isMuted: false, isPinned: false },
});
interface AnyPayload {
  userIds?: number[];
  audience?: { userIds: number[] };
  channel?: Channel;
  channels?: { id: number }[];
  subscriptions?: { channel: Channel }[];
  channelId?: number;
}
const summaryOf = (events: { kind: string; payload: unknown }[]) =>
  events.map(({ kind, payload }) => {
    const { userIds, audience, channel: one, channels = [], subscriptions = [], channelId } = payload as AnyPayload;
    const ids = [...channels.map(({ id }) => id), ...subscriptions.map((added) => added.channel.id)];
    return [kind, [...ids, one?.id, channelId].filter((id) => id !== undefined), userIds ?? audience?.userIds];
  });

describe('others', () => {
  const peers = (list: ChangedChannel[]) =>
    peerEvents(REALM_ID, list, peersAdded).map(({ payload }) => payload as { channelIds: number[]; userIds: number[] });

  test('get one event for several channels with the same users and the same audience', () => {
    const list = [changed(1, [ANN, BOB]), changed(2, [ANN, BOB]), changed(3, [ANN])];
    expect(peers(list)).toEqual([
      { channelIds: [1, 2], userIds: [ANN, BOB], audience: everybody },
      { channelIds: [3], userIds: [ANN], audience: everybody },
    ]);
  });

  test('get separate events for each private channel, and for channels hidden from guests', () => {
    const list = [
      changed(1, [ANN], insiders(1, [])),
      changed(2, [ANN], insiders(2, [])),
      changed(3, [ANN], { to: 'realm', exceptIds: [GUEST] }),
      changed(4, [ANN]),
    ];
    expect(peers(list).map(({ channelIds }) => channelIds)).toEqual([[1], [2], [3], [4]]);
  });

  test('exclude the users themselves', () => {
    const [shape] = peersAdded.publicShapes;
    const audienceOf = (audience: Audience) => shape?.audience({ channelIds: [1], userIds: [ANN], audience });
    expect(audienceOf({ to: 'realm', exceptIds: [GUEST] })).toEqual({ to: 'realm', exceptIds: [GUEST, ANN] });
    expect(audienceOf(insiders(1, [BOB]))).toEqual({ ...insiders(1, [BOB]), exceptIds: [ANN] });
    expect(audienceOf({ to: 'users', userIds: [ANN, BOB] })).toEqual({ to: 'users', userIds: [BOB] });
  });
});

test('users who leave together get each other’s removal, if they still see the channel', () => {
  const [, shape] = peersRemoved.publicShapes;
  const peers = (audience: Audience, userIds = [ANN, BOB, GUEST]) => ({ channelIds: [1], userIds, audience });
  expect(shape?.audience(peers({ to: 'realm', exceptIds: [GUEST] }))).toEqual({ to: 'users', userIds: [ANN, BOB] });
  expect(shape?.audience(peers(insiders(1, [BOB])))).toEqual({ to: 'users', userIds: [BOB] });
  expect(shape?.audience(peers(everybody, [ANN]))).toEqual({ to: 'users', userIds: [] });
  const receiver = { userId: ANN, queueId: '', alertWords: [], hasMuted: () => false };
  expect(shape?.personal?.(peers(everybody))(receiver)).toEqual({ user_ids: [BOB, GUEST] });
});

describe('a new subscriber', () => {
  const additions = (list: ChangedChannel[], beginnings: ReturnType<typeof beginning>[], subscribers = new Map()) =>
    ownAdditionEvents(REALM_ID, list, beginnings, subscribers);

  test('gets all channels in one event, shared by users with the same channels', () => {
    const list = [changed(1, [ANN, BOB, GUEST]), changed(2, [ANN, BOB])];
    const pairs = [
      ...[beginning(1, ANN), beginning(2, ANN)],
      ...[beginning(1, BOB), beginning(2, BOB)],
      beginning(1, GUEST),
    ];
    expect(summaryOf(additions(list, pairs))).toEqual([
      ['subscription.added', [1, 2], [ANN, BOB]],
      ['subscription.added', [1], [GUEST]],
    ]);
  });

  test('gets a separate event when the colour differs', () => {
    const pairs = [beginning(1, ANN), beginning(1, BOB, '#ffffff')];
    expect(summaryOf(additions([changed(1, [ANN, BOB])], pairs))).toEqual([
      ['subscription.added', [1], [ANN]],
      ['subscription.added', [1], [BOB]],
    ]);
  });

  test('gets hidden channels as new ones first', () => {
    const list = [
      changed(1, [ANN, BOB, GUEST], insiders(1, [ANN])),
      changed(2, [ANN, GUEST], { to: 'realm', exceptIds: [GUEST] }),
      changed(3, [GUEST]),
    ];
    expect(summaryOf(additions(list, [beginning(1, ANN)])).slice(0, 2)).toEqual([
      ['channel.appeared', [1], [BOB, GUEST]],
      ['channel.appeared', [2], [GUEST]],
    ]);
  });

  test('gets lists of large channels one event after another', () => {
    const crowd = (size: number) => Array.from({ length: size }, (_, id) => id);
    const subscribers = new Map([1, 2, 3, 4].map((id) => [id, crowd(20_000)]));
    const list = [1, 2, 3, 4].map((id) => changed(id, [ANN]));
    const events = additions(
      list,
      [1, 2, 3, 4].map((id) => beginning(id, ANN)),
      subscribers,
    );
    expect(summaryOf(events)).toEqual([
      ['subscription.added', [1, 2], [ANN]],
      ['subscription.added', [3, 4], [ANN]],
    ]);
  });
});

test('a removed subscriber gets the removal, and then the channels that vanish', () => {
  const list = [changed(1, [ANN, BOB], insiders(1, [ANN])), changed(2, [ANN])];
  const endings = [
    { channelId: 1, userId: ANN },
    { channelId: 2, userId: ANN },
    { channelId: 1, userId: BOB },
  ];
  expect(summaryOf(ownRemovalEvents(REALM_ID, list, endings))).toEqual([
    ['subscription.removed', [1, 2], [ANN]],
    ['subscription.removed', [1], [BOB]],
    ['channel.vanished', [1], [BOB]],
  ]);
});
