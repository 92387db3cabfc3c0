import type { MessageEdited } from '@parley/shared/events';
import type { User } from '@parley/shared/proto';
import { createEditWorld, type EditWorld } from '../../test/edit-world';
import { callerOf, toChannel } from '../../test/start-messages';

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

async function toldOf(who: User, messageId: number, change: Parameters<EditWorld['edit']>[2]): Promise<MessageEdited> {
  await world.events();
  await world.edit(who, messageId, change);
  const edited = (await world.events()).find(({ kind }) => kind === 'message.edited');
  return edited?.payload as unknown as MessageEdited;
}

/** Of those who got the message. */
async function readersOf(messageId: number): Promise<number[]> {
  const { ann, bob, mod, ada, gus } = world;
  const flags = await Promise.all([ann, bob, mod, ada, gus].map((user) => world.read(user, messageId)));
  return [ann, bob, mod, ada, gus].filter((_, index) => flags[index]?.flags.includes('read')).map(({ id }) => id);
}

test('an edit names those who have read the message, however they did, and who has set what on it', async () => {
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
  const told = await toldOf(ann, id, { content: 'edited' });
  expect([...told.readByIds].sort()).toEqual([bob.id, mod.id, ada.id].sort());
  expect([...told.readByIds].sort()).toEqual((await readersOf(id)).sort());
  expect(told).toMatchObject({
    senderId: ann.id,
    text: 'edited',
    starredByIds: [bob.id],
    collapsedByIds: [mod.id],
    audience: { receivedAt: [{ channelId: lobby.id, version: lobby.subscriptionVersion }] },
  });
});

test('a message that was moved unread to where everything was read is unread there', async () => {
  const { ann, bob, mod, lobby, other } = world;
  const id = await world.send(ann, lobby, 'travels');
  await world.send(ann, other, 'later');
  await markChannelAsRead(bob, other.id);
  await world.edit(mod, id, { channelId: other.id });
  const told = await toldOf(mod, id, { topic: 'arrived' });
  expect(told.readByIds).not.toContain(bob.id);
  expect(told.readByIds).toEqual([]);
  const sent = { channelId: lobby.id, version: lobby.subscriptionVersion };
  const moved = { channelId: other.id, version: other.subscriptionVersion };
  expect(told.audience).toMatchObject({ channelId: other.id, receivedAt: [sent, moved] });
});

test('what began as read is read by those for whom it did', async () => {
  const { ann, bob, lobby, network } = world;
  const request = toChannel(lobby.id, 'own', 'hi', { isReadBySender: true });
  const { messageId } = await network.client.sendMessage(callerOf(ann), request);
  expect((await toldOf(ann, messageId, { content: 'edited' })).readByIds).toEqual([ann.id]);
  await setFlag(ann, [messageId], 'remove', 'read');
  await setFlag(bob, [messageId], 'add', 'read');
  expect((await toldOf(ann, messageId, { content: 'edited again' })).readByIds).toEqual([bob.id]);
});
