import { callerOf, type MessagesUnderTest, startMessages, toChannel } from '../../test/start-messages';

let network: MessagesUnderTest;

beforeAll(async () => {
  network = await startMessages();
});

afterAll(() => network.stop());

test('topics come with their newest message first, in its casing, also of an archived channel', async () => {
  const { realm, client } = network;
  const [ann, bob] = [realm.addUser('Ann'), realm.addUser('Bob')];
  const lobby = realm.addChannel('Lobby');
  realm.subscribe(lobby, bob);
  const send = async (topic: string) =>
    (await client.sendMessage(callerOf(bob), toChannel(lobby.id, topic, 'x'))).messageId;
  await send('Tea');
  const empty = await send('');
  const newest = await send('TEA');
  lobby.isArchived = true;
  expect(await client.listTopics(callerOf(ann), { channelId: lobby.id })).toEqual({
    topics: [
      { name: 'TEA', maxMessageId: newest },
      { name: '', maxMessageId: empty },
    ],
  });
});

test('with protected history only received messages count', async () => {
  const { realm, client } = network;
  const [cid, dan] = [realm.addUser('Cid'), realm.addUser('Dan')];
  const vault = realm.addChannel('Vault', { isPrivate: true, isHistoryPublic: false });
  realm.subscribe(vault, dan);
  const send = async (topic: string) =>
    (await client.sendMessage(callerOf(dan), toChannel(vault.id, topic, 'x'))).messageId;
  await send('before');
  realm.subscribe(vault, cid);
  const received = await send('both');
  realm.unsubscribe(vault, cid);
  await send('both');
  realm.subscribe(vault, cid);
  expect(await client.listTopics(callerOf(cid), { channelId: vault.id })).toEqual({
    topics: [{ name: 'both', maxMessageId: received }],
  });
});

test('a channel that is not for the caller does not exist', async () => {
  const { realm, client } = network;
  const eve = realm.addUser('Eve');
  const closed = realm.addChannel('Closed', { isPrivate: true });
  for (const channelId of [closed.id, 999]) {
    await expect(client.listTopics(callerOf(eve), { channelId })).rejects.toThrow('Invalid channel ID');
  }
});
