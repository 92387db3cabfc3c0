import { noticeAnnounced } from '@parley/shared/events';
import type { User } from '@parley/shared/proto';
import { createFakeClock } from '@parley/shared/testing';
import { announcedBy } from '../../test/announced';
import { NOTIFICATION_BOT_ID } from '../../test/realm-peer';
import { callerOf, type MessagesUnderTest, startMessages, toChannel, toUsers } from '../../test/start-messages';

const clock = createFakeClock();
let network: MessagesUnderTest;
let ann: User;
let bob: User;
let bot: User;

beforeAll(async () => {
  network = await startMessages({ clock });
  const { realm } = network;
  [ann, bob] = [realm.addUser('Ann'), realm.addUser('Bob')];
  bot = realm.addUser('Robo', { isBot: true, botOwnerId: ann.id });
});

afterAll(() => network.stop());

const send = (user: User, request: ReturnType<typeof toChannel>) => network.client.sendMessage(callerOf(user), request);

test('a user who may not create topics may write in existing ones', async () => {
  const { realm } = network;
  const channel = realm.addChannel('Strict', { topicCreatorIds: [ann.id] });
  const refusal = 'You do not have permission to create new topics in this channel.';
  await expect(send(bob, toChannel(channel.id, 'plans', 'hi'))).rejects.toThrow(refusal);
  await send(ann, toChannel(channel.id, 'plans', 'hi'));
  await send(bob, toChannel(channel.id, 'PLANS', 'hi'));
});

test('a user who may not start direct conversations may write in existing ones', async () => {
  network.realm.directRights.mayInitiate = false;
  const refusal = 'You do not have permission to initiate direct message conversations.';
  await expect(send(ann, toUsers([bob], 'hi'))).rejects.toThrow(refusal);
  network.realm.directRights.mayInitiate = true;
  await send(bob, toUsers([ann], 'hi'));
  network.realm.directRights.mayInitiate = false;
  await send(ann, toUsers([bob], 'hi'));
  await send(bot, toUsers([bob], 'hi'));
  network.realm.directRights.mayInitiate = true;
});

test('mentioning many needs permission; silent and quoted mentions do not count', async () => {
  const { realm } = network;
  const channel = realm.addChannel('Crowd', { subscriberCount: 16 });
  realm.mentionersOfFew.add(bob.id);
  const all = (content: string) => toChannel(channel.id, 'x', content);
  await expect(send(bob, all('@**all**'))).rejects.toMatchObject({ code: 'STREAM_WILDCARD_MENTION_NOT_ALLOWED' });
  for (const content of ['@_**all**', '> @**all**', '`@**all**`', '@**topic**']) await send(bob, all(content));
  await send(ann, all('@**all**'));
  channel.subscriberCount = 15;
  await send(bob, all('@**everyone**'));
});

test('participants of a topic are its senders, users who reacted, and the sender of the message', async () => {
  const { realm, client } = network;
  const channel = realm.addChannel('Choir');
  realm.mentionersOfFew.add(bob.id);
  const singers = Array.from({ length: 15 }, (_, index) => realm.addUser(`Singer ${index}`));
  const here = (content: string) => toChannel(channel.id, 'songs', content);
  for (const singer of singers.slice(0, 8)) {
    await send(singer, here('la'));
    await send(singer, here('la'));
  }
  const { messageId } = await send(ann, here('listen'));
  for (const singer of singers.slice(7, 13)) {
    await client.addReaction(callerOf(singer), { messageId, emojiName: '+1' });
  }
  await send(bob, here('@**topic**'));
  const last = singers.at(-1) as User;
  await client.addReaction(callerOf(last), { messageId, emojiName: '+1' });
  await expect(send(bob, here('@**topic**'))).rejects.toMatchObject({ code: 'TOPIC_WILDCARD_MENTION_NOT_ALLOWED' });
  const outsider = realm.addUser('Outsider');
  realm.subscribe(channel, last, outsider);
  const { messageId: mention } = await send(ann, here('@**topic**'));
  const flags = async (user: User) => (await client.getMessage(callerOf(user), { messageId: mention })).flags;
  expect(await flags(last)).toEqual(['topic_wildcard_mentioned', 'wildcard_mentioned']);
  expect(await flags(outsider)).toEqual([]);
});

test('a bot’s owner gets a limited number of warnings about channels without subscribers', async () => {
  const { realm, service } = network;
  const empty = realm.addChannel('Empty');
  const notices = (run: () => Promise<unknown>) => announcedBy(service.db, noticeAnnounced, run);
  const toNowhere = () => expect(send(bot, toChannel(4_711, 'x', 'hi'))).rejects.toThrow('does not exist');
  const warning = { senderId: NOTIFICATION_BOT_ID, to: { userIds: [ann.id] }, readByIds: [] };
  expect(await notices(toNowhere)).toEqual([
    { ...warning, content: expect.stringContaining('channel ID 4711, but there is no channel with that ID.') },
  ]);
  expect(await notices(() => send(bot, toChannel(empty.id, 'x', 'hi')))).toEqual([]);
  clock.advance(5 * 60_000);
  expect(await notices(() => send(bot, toChannel(empty.id, 'x', 'hi')))).toEqual([
    {
      ...warning,
      content: expect.stringContaining('#**Empty**. The channel exists but does not have any subscribers.'),
    },
  ]);
  expect(await notices(() => send(ann, toChannel(empty.id, 'x', 'hi')))).toEqual([]);
  clock.advance(5 * 60_000);
  const secret = realm.addChannel('Secret', { isPrivate: true });
  const toSecret = () => expect(send(bot, toChannel(secret.id, 'x', 'hi'))).rejects.toThrow('does not exist');
  expect(await notices(toSecret)).toEqual([
    { ...warning, content: expect.stringContaining(`channel ID ${secret.id}, but there is no channel with that ID.`) },
  ]);
});

test('without a channel a message is refused', async () => {
  const request = { ...toUsers([], ''), isDirect: false };
  await expect(send(ann, { ...request, topic: 'x' })).rejects.toThrow('Missing channel');
  await expect(send(ann, request)).rejects.toThrow('Missing channel');
});
