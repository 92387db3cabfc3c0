import type { User } from '@parley/shared/proto';
import { createFakeClock } from '@parley/shared/testing';
import {
  callerOf,
  getRequest,
  idsOf,
  type MessagesUnderTest,
  startMessages,
  term,
  toChannel,
  toUsers,
} from '../../test/start-messages';
import { NEWEST } from './find-around';

const DAY_MS = 24 * 3600 * 1000;
const clock = createFakeClock();

let network: MessagesUnderTest;
let [ann, bob]: User[] = [];
let sentAt: number[];
let sentIds: number[];

beforeAll(async () => {
  network = await startMessages({ clock });
  const { realm, client } = network;
  [ann, bob] = [realm.addUser('Ann'), realm.addUser('Bob')];
  const [loud, lobby] = [realm.addChannel('Loud'), realm.addChannel('Lobby')];
  for (const channel of [loud, lobby]) realm.subscribe(channel, ann, bob);
  loud.mutedByIds.add(ann.id);
  sentAt = [];
  sentIds = [];
  for (const [channel, topic] of [
    [loud, 'tea'],
    [loud, 'unmuted'],
    [lobby, 'muted'],
    [lobby, 'tea'],
    [lobby, 'tea'],
  ] as const) {
    sentAt.push(clock.now());
    sentIds.push((await client.sendMessage(callerOf(bob), toChannel(channel.id, topic, 'x'))).messageId);
    clock.advance(DAY_MS);
  }
});

afterAll(() => network.stop());

const ask = (facts: Parameters<typeof getRequest>[0]) =>
  network.client.getMessages(
    callerOf(ann as User),
    getRequest({ anchorKind: 'date', numBefore: 1, numAfter: 1, ...facts }),
  );

test('a date leads to the first message since', async () => {
  const between = await ask({ anchorDateMs: (sentAt[2] as number) - DAY_MS / 2 });
  expect(between).toMatchObject({ anchor: sentIds[2], foundAnchor: true });
  expect(idsOf(between)).toEqual(sentIds.slice(1, 4));
  expect(await ask({ anchorDateMs: sentAt[2] as number })).toMatchObject({ anchor: sentIds[2] });
  expect(await ask({ anchorDateMs: 0 })).toMatchObject({ anchor: sentIds[0], foundOldest: true });
  const later = await ask({ anchorDateMs: clock.now() });
  expect(later).toMatchObject({ anchor: NEWEST, foundNewest: true, foundAnchor: false });
});

test('a date leads to a message that the narrow leaves', async () => {
  const narrow = [term('topic', { text: 'tea' })];
  expect(await ask({ anchorDateMs: sentAt[1] as number, narrow })).toMatchObject({ anchor: sentIds[3] });
});

describe('the first unread message', () => {
  const first = async (...narrow: ReturnType<typeof term>[]) =>
    (await ask({ anchorKind: 'first_unread', narrow })).anchor;

  test('is in no muted topic, and in a muted channel only where the topic is not', async () => {
    expect(await first()).toBe(sentIds[2]);
    const policies: [number, string, number][] = [
      [2, 'muted', 1],
      [1, 'unmuted', 2],
    ];
    for (const [channelId, topic, policy] of policies) {
      await network.service.db.query(
        `insert into topic_policy (realm_id, user_id, channel_id, name_key, name, policy, updated_at)
         values (1, $1, $2, $3, $3, $4, now())`,
        [ann?.id, channelId, topic, policy],
      );
    }
    expect(await first()).toBe(sentIds[1]);
    expect(await first(term('topic', { text: 'tea' }))).toBe(sentIds[3]);
  });

  test('is in a muted channel if the narrow names it', async () => {
    expect(await first(term('channel', { text: 'Loud' }))).toBe(sentIds[0]);
  });

  test('is found in a direct conversation and in a topic', async () => {
    const { messageId } = await network.client.sendMessage(callerOf(bob as User), toUsers([ann as User], 'x'));
    expect(await first(term('dm', { ids: [(bob as User).id] }))).toBe(messageId);
    expect(await first(term('channel', { text: 'Lobby' }), term('topic', { text: 'tea' }))).toBe(sentIds[3]);
  });

  test('is the newest end when there is none', async () => {
    expect(await first(term('topic', { text: 'none' }))).toBe(NEWEST);
  });
});
