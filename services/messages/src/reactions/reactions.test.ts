import { reactionAdded, reactionRemoved, topicPolicyChanged } from '@parley/shared/events';
import type { User } from '@parley/shared/proto';
import { announcedBy } from '../../test/announced';
import type { PeerChannel } from '../../test/realm-peer';
import { callerOf, type MessagesUnderTest, startMessages, toChannel, toUsers } from '../../test/start-messages';
import { whileMoving } from '../../test/while-moving';

const UNICODE = 'unicode_emoji';
const SMILE = '1f642';

let network: MessagesUnderTest;
let ann: User;
let bob: User;
let eve: User;
let lobby: PeerChannel;

beforeAll(async () => {
  network = await startMessages();
  const { realm } = network;
  [ann, bob, eve] = [realm.addUser('Ann'), realm.addUser('Bob'), realm.addUser('Eve')];
  lobby = realm.addChannel('Lobby');
  realm.subscribe(lobby, ann, bob);
  realm.customEmoji.push(
    { id: 5, realmId: 1, name: 'party', fileName: 'a', isDeactivated: false },
    { id: 6, realmId: 1, name: 'smile', fileName: 'b', isDeactivated: false },
    { id: 7, realmId: 1, name: 'retired', fileName: 'c', isDeactivated: true },
  );
});

afterAll(() => network.stop());

const send = async (user: User, request = toChannel(lobby.id, 'x', 'hi')) =>
  (await network.client.sendMessage(callerOf(user), request)).messageId;

const add = (user: User, messageId: number, emojiName: string, emojiCode?: string, reactionType?: string) =>
  network.client.addReaction(callerOf(user), {
    messageId,
    emojiName,
    ...(emojiCode !== undefined && { emojiCode }),
    ...(reactionType !== undefined && { reactionType }),
  });

const reactionsTo = async (messageId: number) =>
  (await network.client.getMessage(callerOf(ann), { messageId })).reactions;

const thumbs = (userId: number, emojiName = '+1') => ({ userId, emojiName, emojiCode: '1f44d', reactionType: UNICODE });

test('reactions are part of the message, oldest first, and are announced to its holders', async () => {
  const messageId = await send(ann);
  const { db } = network.service;
  const [event] = await announcedBy(db, reactionAdded, () => add(bob, messageId, '+1'));
  expect(event).toEqual({
    messageId,
    reaction: thumbs(bob.id),
    user: { id: bob.id, email: bob.email, fullName: 'Bob' },
    audience: expect.objectContaining({ to: 'subscribers', channelId: lobby.id, isPublic: false, alsoIds: [bob.id] }),
  });
  await add(ann, messageId, 'party');
  const party = { userId: ann.id, emojiName: 'party', emojiCode: '5', reactionType: 'realm_emoji' };
  expect(await reactionsTo(messageId)).toEqual([thumbs(bob.id), party]);

  const remove = () => network.client.removeReaction(callerOf(bob), { messageId, emojiName: '+1' });
  expect(await announcedBy(db, reactionRemoved, remove)).toMatchObject([{ messageId, reaction: thumbs(bob.id) }]);
  expect(await reactionsTo(messageId)).toEqual([party]);
  await expect(remove()).rejects.toMatchObject({ code: 'REACTION_DOES_NOT_EXIST' });
});

test('a message that moves to a hidden channel at the same time takes no reaction, and none is announced', async () => {
  const { db } = network.service;
  const messageId = await send(ann);
  const added = await announcedBy(db, reactionAdded, async () => {
    const refusal = await whileMoving(network, { messageId, owner: ann }, () => add(bob, messageId, '+1'));
    expect(refusal).toMatchObject({ message: expect.stringContaining('Invalid message(s)') });
  });
  expect([added, await reactionsTo(messageId)]).toEqual([[], []]);

  const second = await send(ann);
  await add(bob, second, '+1');
  const removed = await announcedBy(db, reactionRemoved, async () => {
    await whileMoving(network, { messageId: second, owner: ann }, () =>
      network.client.removeReaction(callerOf(bob), { messageId: second, emojiName: '+1' }),
    );
  });
  expect([removed, await reactionsTo(second)]).toEqual([[], [thumbs(bob.id)]]);
});

test('an own emoji comes before Unicode’s of the same name', async () => {
  const messageId = await send(ann);
  await add(ann, messageId, 'smile');
  await add(ann, messageId, 'smile', SMILE, UNICODE);
  expect((await reactionsTo(messageId)).map(({ emojiCode }) => emojiCode)).toEqual(['6', SMILE]);
});

test('a later reaction takes the existing name, even of a deactivated emoji', async () => {
  const messageId = await send(ann);
  await add(ann, messageId, '+1');
  await add(bob, messageId, 'no such name', '1f44d', UNICODE);
  await add(ann, messageId, 'party');
  const [party] = network.realm.customEmoji;
  Object.assign(party as object, { isDeactivated: true });
  await add(bob, messageId, 'party', '5', 'realm_emoji');
  Object.assign(party as object, { isDeactivated: false });
  expect((await reactionsTo(messageId)).map(({ emojiName }) => emojiName)).toEqual(['+1', '+1', 'party', 'party']);
});

test.each([
  ['nothing', "Emoji 'nothing' does not exist", {}],
  ['retired', "Emoji 'retired' does not exist", {}],
  ['party', 'Invalid custom emoji.', { emojiCode: '99', reactionType: 'realm_emoji' }],
  ['smile', 'Invalid custom emoji name.', { emojiCode: '5', reactionType: 'realm_emoji' }],
  ['retired', 'This custom emoji has been deactivated.', { emojiCode: '7', reactionType: 'realm_emoji' }],
  ['+1', 'Invalid emoji code.', { emojiCode: 'xyz', reactionType: UNICODE }],
  ['smile', 'Invalid emoji name.', { emojiCode: '1f44d', reactionType: UNICODE }],
  ['smile', 'Invalid emoji code.', { emojiCode: 'smile', reactionType: 'some_extra_emoji' }],
  ['smile', 'Invalid emoji type.', { emojiCode: SMILE, reactionType: 'emoji' }],
])('%s is refused: %s', async (emojiName, message, facts) => {
  const messageId = await send(ann);
  await expect(network.client.addReaction(callerOf(ann), { messageId, emojiName, ...facts })).rejects.toThrow(message);
});

test('a reaction whose name means another emoji now is read, joined and removed as the old emoji', async () => {
  const messageId = await send(ann);
  await add(bob, messageId, '+1');
  const { db } = network.service;
  await db.query(`update reaction set emoji_name = 'rabbit', emoji_code = '1f430' where message_id = $1`, [messageId]);
  await add(ann, messageId, 'rabbit', '1f430', UNICODE);
  const rabbit = (userId: number) => ({ userId, emojiName: 'rabbit', emojiCode: '1f430', reactionType: UNICODE });
  expect(await reactionsTo(messageId)).toEqual([rabbit(bob.id), rabbit(ann.id)]);
  await network.client.removeReaction(callerOf(bob), { messageId, emojiName: 'rabbit' });
  expect(await reactionsTo(messageId)).toEqual([rabbit(ann.id)]);
});

test('the same reaction twice, even at once, is one', async () => {
  const messageId = await send(ann);
  const results = await Promise.allSettled([add(bob, messageId, '+1'), add(bob, messageId, '+1')]);
  const refused = results.filter((result) => result.status === 'rejected');
  expect(refused.map(({ reason }) => reason.code)).toEqual(['REACTION_ALREADY_EXISTS']);
});

test('messages out of sight, or in an archived channel, do not exist', async () => {
  const direct = await send(ann, toUsers([bob], 'psst'));
  await add(bob, direct, '+1');
  await expect(add(eve, direct, '+1')).rejects.toThrow('Invalid message(s)');
  const attic = network.realm.addChannel('Attic');
  const stored = await send(ann, toChannel(attic.id, 'x', 'dusty'));
  attic.isArchived = true;
  await expect(add(ann, stored, '+1')).rejects.toThrow('Invalid message(s)');
  await expect(network.client.removeReaction(callerOf(ann), { messageId: direct })).rejects.toThrow(
    'At least one of the following arguments must be present: emoji_name, emoji_code',
  );
});

test('a reaction to a message not received keeps it as a historical one', async () => {
  const messageId = await send(ann);
  await add(eve, messageId, '+1');
  const kept = await network.service.db.query(
    'select user_id as "userId" from personal_flag where message_id = $1 and is_historical',
    [messageId],
  );
  expect(kept).toEqual([{ userId: eve.id }]);
});

test('a reaction follows the topic for users with that setting', async () => {
  const messageId = await send(ann, toChannel(lobby.id, 'Followed', 'hi'));
  network.realm.settings.set(bob.id, { automatically_follow_topics_policy: 1 });
  const react = (user: User, name: string) => () => add(user, messageId, name);
  const { db } = network.service;
  const topicPolicy = { channelId: lobby.id, topic: 'Followed', policy: 3 };
  expect(await announcedBy(db, topicPolicyChanged, react(bob, '+1'))).toMatchObject([{ userId: bob.id, topicPolicy }]);
  expect(await announcedBy(db, topicPolicyChanged, react(bob, 'tada'))).toEqual([]);
  expect(await announcedBy(db, topicPolicyChanged, react(ann, '+1'))).toEqual([]);
});
