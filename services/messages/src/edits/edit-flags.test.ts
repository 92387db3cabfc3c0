import type { MessageEdited } from '@parley/shared/events';
import type { PersonalFlags, User } from '@parley/shared/proto';
import { newCall } from '@parley/shared/rpc';
import { untilWaiting } from '@parley/shared/testing';
import { createEditWorld, type EditWorld } from '../../test/edit-world';
import { callerOf, toChannel } from '../../test/start-messages';
import { readByAllBut } from '../read-state/is-read';

let world: EditWorld;
beforeAll(async () => {
  world = await createEditWorld();
});
afterAll(() => world.network.stop());

const setFlag = (user: User, messageIds: number[], op: string, flag: string) =>
  world.network.client.updateFlags(callerOf(user), { messageIds, op, flag });
const markChannelAsRead = (user: User, channelId: number) =>
  world.network.client.markChannelAsRead(callerOf(user), { channelId });
const markAllAsRead = (user: User) => world.network.client.markAllAsRead(callerOf(user), {});

async function announcedTo(
  who: User,
  messageId: number,
  change: Parameters<EditWorld['edit']>[2],
): Promise<MessageEdited> {
  await world.events();
  await world.edit(who, messageId, change);
  const edited = (await world.events()).find(({ kind }) => kind === 'message.edited');
  return edited?.payload as unknown as MessageEdited;
}

const everybody = () => [world.ann, world.bob, world.mod, world.ada, world.gus];

/** The flags requested by events pods that deliver the edit: user ids by flag. */
async function holdersOf(messageId: number) {
  const users = everybody();
  const realmId = world.ann.realmId;
  const questions = users.map(({ id }) => ({ realmId, messageId, userId: id }));
  const { flags } = await world.network.client.getPersonalFlags(newCall(), { questions });
  const idsWith = (flag: keyof PersonalFlags) => users.filter((_, index) => flags[index]?.[flag]).map(({ id }) => id);
  return { read: idsWith('isRead'), starred: idsWith('isStarred'), collapsed: idsWith('isCollapsed') };
}

/** The users who get the edit with the flag `read`. */
async function readersOf(messageId: number): Promise<number[]> {
  const flags = await Promise.all(everybody().map((user) => world.read(user, messageId)));
  return everybody().flatMap(({ id }, index) => (flags[index]?.flags.includes('read') ? [id] : []));
}

test('an edit does not name its readers: pods ask for the flags, however they were set', async () => {
  const { ann, bob, mod, ada, gus, lobby } = world;
  const [before, id] = [await world.send(ann, lobby, 'x'), await world.send(ann, lobby, 'x')];
  await setFlag(bob, [id], 'add', 'read');
  await markChannelAsRead(mod, lobby.id);
  await markAllAsRead(ada);
  await markAllAsRead(gus);
  await setFlag(gus, [id], 'remove', 'read');
  await setFlag(gus, [before], 'add', 'read');
  await setFlag(bob, [id], 'add', 'starred');
  await setFlag(mod, [id], 'add', 'collapsed');
  const edited = await announcedTo(ann, id, { content: 'edited' });
  expect(Object.keys(edited).sort()).toEqual(
    [
      ...['audience', 'channel', 'content', 'editedAtMs', 'editorId', 'messageId', 'messageIds'],
      ...['mentionedIds', 'mentionsChannel', 'mentionsTopic', 'senderId', 'sentAtMs', 'text', 'topicParticipantIds'],
    ].sort(),
  );
  expect(edited).toMatchObject({
    senderId: ann.id,
    text: 'edited',
    audience: { receivedAt: [{ channelId: lobby.id, version: lobby.subscriptionVersion }] },
  });
  expect(await holdersOf(id)).toEqual({ read: [bob.id, mod.id, ada.id], starred: [bob.id], collapsed: [mod.id] });
  expect(await readersOf(id)).toEqual([bob.id, mod.id, ada.id]);
});

test('a message that was moved unread to where everything was read is unread there', async () => {
  const { ann, bob, mod, lobby, other } = world;
  const id = await world.send(ann, lobby, 'travels');
  await world.send(ann, other, 'later');
  await markChannelAsRead(bob, other.id);
  await world.edit(mod, id, { channelId: other.id });
  const edited = await announcedTo(mod, id, { topic: 'arrived' });
  expect((await holdersOf(id)).read).toEqual([]);
  const sent = { channelId: lobby.id, version: lobby.subscriptionVersion };
  const moved = { channelId: other.id, version: other.subscriptionVersion };
  expect(edited.audience).toMatchObject({ channelId: other.id, receivedAt: [sent, moved] });
});

test('a message that started as read for some is read by them', async () => {
  const { ann, bob, lobby, network } = world;
  const request = toChannel(lobby.id, 'own', 'hi', { isReadBySender: true });
  const { messageId } = await network.client.sendMessage(callerOf(ann), request);
  expect((await holdersOf(messageId)).read).toEqual([ann.id]);
  await setFlag(ann, [messageId], 'remove', 'read');
  await setFlag(bob, [messageId], 'add', 'read');
  expect((await holdersOf(messageId)).read).toEqual([bob.id]);
});

test('a message that started as read for all but a few is unread for these', async () => {
  const { ann, bob, lobby, network } = world;
  const id = await world.send(ann, lobby, 'noticed');
  await network.service.db.query('update message set read_by_ids = $2::bigint[] where id = $1', [
    id,
    readByAllBut([bob.id]),
  ]);
  expect((await holdersOf(id)).read).toEqual(everybody().flatMap(({ id }) => (id === bob.id ? [] : [id])));
});

test('questions are answered in their order, also about deleted messages, up to a limit', async () => {
  const { ann, bob, lobby, network } = world;
  const id = await world.send(ann, lobby, 'asked');
  await setFlag(bob, [id], 'add', 'starred');
  const ask = (...questions: [messageId: number, user: User][]) =>
    network.client.getPersonalFlags(newCall(), {
      questions: questions.map(([messageId, user]) => ({ realmId: user.realmId, messageId, userId: user.id })),
    });
  const nothing = { isRead: false, isStarred: false, isCollapsed: false };
  expect((await ask([id, bob], [999_999, bob], [id, ann], [id, bob])).flags).toEqual([
    { ...nothing, isStarred: true },
    { ...nothing, isRead: true },
    nothing,
    { ...nothing, isStarred: true },
  ]);
  const tooMany = Array.from({ length: 1_001 }, (): [number, User] => [id, bob]);
  await expect(ask(...tooMany)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
});

describe('a user who stars a message that they did not receive', () => {
  let zed: User;
  beforeAll(() => {
    zed = world.network.realm.addUser('Zed');
  });

  const holdersIn = (payload: unknown) => (payload as { audience: { holderIds?: number[] } }).audience.holderIds;

  test.each([
    ['content', { content: 'edited' }],
    ['content and topic', { content: 'edited', topic: 'elsewhere' }],
  ])('while its %s is being edited hears of the edit', async (_of, change) => {
    const { ann, lobby, network } = world;
    const { db } = network.service;
    const id = await world.send(ann, lobby, 'x');
    await world.events();
    let editing: Promise<unknown> | undefined;
    await db.transaction(async (tx) => {
      await tx.query('select from message where id = $1 for share', [id]);
      editing = world.edit(ann, id, change);
      await untilWaiting(db, editing);
      await setFlag(zed, [id], 'add', 'starred');
    });
    await editing;
    const events = (await world.events()).filter(({ kind }) => ['flags.changed', 'message.edited'].includes(kind));
    expect(events.map(({ kind }) => kind)).toEqual(['flags.changed', 'message.edited']);
    expect(holdersIn(events[1]?.payload)).toEqual([zed.id]);
  });

  test('gets events of later reactions', async () => {
    const { ann, lobby, network } = world;
    for (let round = 0; round < 20; round += 1) {
      const id = await world.send(ann, lobby, 'x');
      await world.events();
      const smile = { messageId: id, emojiName: 'smile', emojiCode: '1f642', reactionType: 'unicode_emoji' };
      await Promise.all([
        setFlag(zed, [id], 'add', 'starred'),
        network.client.addReaction(callerOf(ann), smile),
        world.edit(ann, id, { content: 'edited' }),
      ]);
      const kinds = ['flags.changed', 'reaction.added', 'message.edited'];
      const events = (await world.events()).filter(({ kind }) => kinds.includes(kind));
      const later = events.slice(events.findIndex(({ kind }) => kind === 'flags.changed') + 1);
      expect(later.map(({ payload }) => holdersIn(payload))).toEqual(later.map(() => [zed.id]));
    }
  });
});
