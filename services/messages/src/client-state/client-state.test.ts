import { callerOf, type MessagesUnderTest, startMessages, toChannel } from '../../test/start-messages';

let network: MessagesUnderTest;

beforeAll(async () => {
  network = await startMessages();
});
afterAll(() => network.stop());

test('realm is called only for the reader’s channels and those with a policy, out of thousands', async () => {
  const { realm, client } = network;
  const ann = realm.addUser('Ann');
  const [own, decided] = [realm.addChannel('own'), realm.addChannel('decided')];
  for (let count = 0; count < 20; count += 1) realm.addChannel(`channel ${count}`);
  realm.subscribe(own, ann);
  await client.setTopicPolicy(callerOf(ann), { channelId: decided.id, topic: 'noise', policy: 1 });
  realm.readFactsCalls.length = 0;
  const wanted = { includesUnread: true, includesStarred: true, includesRecentDirects: true };
  await client.getMessageState(callerOf(ann), wanted);
  const { topicPolicies } = await client.listTopicPolicies(callerOf(ann), {});
  expect(topicPolicies).toMatchObject([{ channelId: decided.id }]);
  expect(new Set(realm.readFactsCalls)).toEqual(new Set([1]));
});

test('all that a client begins with asks realm once', async () => {
  const { realm, client } = network;
  const ben = realm.addUser('Ben');
  const channel = realm.addChannel('asked once');
  realm.subscribe(channel, ben);
  await client.setTopicPolicy(callerOf(ben), { channelId: channel.id, topic: 'news', policy: 3 });
  realm.readFactsCalls.length = 0;
  const messages = { includesUnread: true, includesStarred: true, includesRecentDirects: true };
  const { topicPolicies } = await client.getClientState(callerOf(ben), { messages, topicPolicies: {} });
  expect(topicPolicies?.topicPolicies).toMatchObject([{ channelId: channel.id, channelName: channel.name }]);
  expect(realm.readFactsCalls).toHaveLength(1);
});

test('the newest message is the newest that was received, however many others are newer', async () => {
  const { realm, client } = network;
  const [eva, fay] = [realm.addUser('Eva'), realm.addUser('Fay')];
  const [shared, foreign] = [realm.addChannel('shared'), realm.addChannel('foreign')];
  realm.subscribe(shared, eva);
  realm.subscribe(shared, fay);
  realm.subscribe(foreign, fay);
  const send = async (channelId: number) =>
    (await client.sendMessage(callerOf(fay), toChannel(channelId, 'tea', 'x'))).messageId;
  const nothingElse = { includesUnread: false, includesStarred: false, includesRecentDirects: false };
  const newestOf = async () => (await client.getMessageState(callerOf(eva), nothingElse)).maxMessageId;
  expect(await newestOf()).toBe(-1);
  const received = await send(shared.id);
  expect(await newestOf()).toBe(received);
  for (let count = 0; count < 3; count += 1) await send(foreign.id);
  expect(await newestOf()).toBe(received);
  for (let count = 0; count < 8; count += 1) await send(foreign.id);
  expect(await newestOf()).toBe(received);
  const starred = await send(foreign.id);
  await client.updateFlags(callerOf(eva), { messageIds: [starred], op: 'add', flag: 'starred' });
  expect(await newestOf()).toBe(starred);
});
