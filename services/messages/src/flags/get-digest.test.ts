import type { User } from '@parley/shared/proto';
import { createFakeClock } from '@parley/shared/testing';
import type { PeerChannel } from '../../test/realm-peer';
import { callerOf, type MessagesUnderTest, startMessages, toChannel, toUsers } from '../../test/start-messages';

const DAY_MS = 24 * 3_600_000;

const clock = createFakeClock();
let network: MessagesUnderTest;
let ann: User;
let bob: User;
let channel: PeerChannel;

beforeAll(async () => {
  network = await startMessages({ clock });
});
beforeEach(() => {
  const { realm } = network;
  [ann, bob] = [realm.addUser(`Ann ${realm.users.length}`), realm.addUser(`Bob ${realm.users.length}`)];
  channel = realm.addChannel(`Channel ${realm.channels.length}`);
  realm.subscribe(channel, ann, bob);
});
afterAll(() => network.stop());

const post = async (topic: string, content = 'hi') =>
  (await network.client.sendMessage(callerOf(bob), toChannel(channel.id, topic, content))).messageId;
const digest = (wanted: { sinceMs?: number; conversations?: number; messagesEach?: number } = {}) =>
  network.client.getDigest(callerOf(ann), { sinceMs: 0, conversations: 5, messagesEach: 2, ...wanted });
const summary = async (wanted?: Parameters<typeof digest>[0]) => {
  const { messageCount, conversationCount, conversations } = await digest(wanted);
  const shown = conversations.map(({ messageCount: count, messages }) => [
    messages[0]?.topic || messages[0]?.channelId === undefined ? messages[0]?.topic : '',
    count,
    messages.map(({ content }) => content),
  ]);
  return { messageCount, conversationCount, shown };
};

test('a digest has the busiest unread conversations, with their newest messages', async () => {
  await post('quiet', 'one');
  for (const text of ['first', 'second', 'third']) await post('busy', text);
  await network.client.sendMessage(callerOf(bob), toUsers([ann], 'psst'));
  expect(await summary()).toEqual({
    messageCount: 5,
    conversationCount: 3,
    shown: [
      ['busy', 3, ['second', 'third']],
      ['', 1, ['psst']],
      ['quiet', 1, ['one']],
    ],
  });
  expect((await summary({ conversations: 1, messagesEach: 1 })).shown).toEqual([['busy', 3, ['third']]]);
});

test('what was read, sent by oneself, or sent before is not in it', async () => {
  await post('old');
  clock.advance(DAY_MS);
  const sinceMs = clock.now();
  const read = await post('news', 'read');
  await post('news', 'unread');
  await network.client.sendMessage(callerOf(ann), toChannel(channel.id, 'news', 'own', { isReadBySender: true }));
  await network.client.updateFlags(callerOf(ann), { messageIds: [read], op: 'add', flag: 'read' });
  const { messageCount, shown } = await summary({ sinceMs });
  expect({ messageCount, shown }).toEqual({ messageCount: 1, shown: [['news', 1, ['unread']]] });
});

test('muted topics are not in it', async () => {
  await post('noise');
  await network.client.setTopicPolicy(callerOf(ann), { channelId: channel.id, topic: 'noise', policy: 1 });
  expect(await summary()).toEqual({ messageCount: 0, conversationCount: 0, shown: [] });
});

test('what one may no longer read is not in it', async () => {
  await post('secret');
  network.realm.unsubscribe(channel, ann);
  expect(await summary()).toEqual({ messageCount: 0, conversationCount: 0, shown: [] });
});

test.each([[{ conversations: 21 }], [{ messagesEach: 11 }], [{ conversations: 0 }]])(
  '%j is refused',
  async (wanted) => {
    await expect(digest(wanted)).rejects.toThrow('Too many messages for a digest');
  },
);
