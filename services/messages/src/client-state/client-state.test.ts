import { callerOf, type MessagesUnderTest, startMessages } from '../../test/start-messages';

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
