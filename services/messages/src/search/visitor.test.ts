import { newCall } from '@parley/shared/rpc';
import { VISITOR_ID } from '@parley/shared/values';
import {
  callerOf,
  getRequest,
  type MessagesUnderTest,
  startMessages,
  term,
  toChannel,
  toUsers,
} from '../../test/start-messages';

let network: MessagesUnderTest;

beforeAll(async () => {
  network = await startMessages();
});

afterAll(() => network.stop());

test('a visitor reads web-public channels only', async () => {
  const { realm, client } = network;
  const [ann, bob] = [realm.addUser('Ann'), realm.addUser('Bob')];
  const [web, lobby] = [realm.addChannel('Web', { isWebPublic: true }), realm.addChannel('Lobby')];
  const send = async (request: ReturnType<typeof toChannel>) =>
    (await client.sendMessage(callerOf(ann), request)).messageId;
  const seen = await send(toChannel(web.id, 'tea', 'for all'));
  const hidden = [await send(toChannel(lobby.id, 'tea', 'for us')), await send(toUsers([bob], 'for you'))];
  const visitor = { ...newCall(), realmId: ann.realmId, userId: VISITOR_ID };
  const narrow = [term('channels', { text: 'web-public' })];
  const { messages } = await client.getMessages(visitor, getRequest({ narrow }));
  expect(messages).toMatchObject([{ id: seen, flags: ['read'], sender: { fullName: 'Ann' }, channelName: 'Web' }]);
  const named = await client.getMessages(visitor, getRequest({ messageIds: [seen, ...hidden] }));
  expect(named.messages.map(({ id }) => id)).toEqual([seen]);
  expect(await client.getMessage(visitor, { messageId: seen })).toMatchObject({ content: 'for all' });
  for (const messageId of [...hidden, 999]) {
    await expect(client.getMessage(visitor, { messageId })).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  }
  expect((await client.listTopics(visitor, { channelId: web.id })).topics).toHaveLength(1);
  await expect(client.listTopics(visitor, { channelId: lobby.id })).rejects.toThrow('Invalid channel ID');
});
