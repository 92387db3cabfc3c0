import { callerOf, type MessagesUnderTest, startMessages, toChannel } from '../../test/start-messages';

let network: MessagesUnderTest;
beforeAll(async () => {
  network = await startMessages();
});
afterAll(() => network.stop());

test('a channel has its first message, and whether it has named topics', async () => {
  const { realm, client } = network;
  const ann = realm.addUser('Ann');
  const [still, named, unnamed] = [realm.addChannel('Still'), realm.addChannel('Named'), realm.addChannel('Unnamed')];
  const send = async (channelId: number, topic: string) =>
    (await client.sendMessage(callerOf(ann), { ...toChannel(channelId, topic, 'x') })).messageId;
  const first = await send(named.id, 'tea');
  await send(named.id, '');
  const latest = await send(unnamed.id, '');

  const channelIds = [still.id, named.id, unnamed.id];
  const { activities } = await client.getChannelActivity(callerOf(ann), { channelIds });
  expect(activities).toEqual([
    { channelId: named.id, firstMessageId: first, hasNamedTopics: true },
    { channelId: unnamed.id, firstMessageId: latest, hasNamedTopics: false },
  ]);
  const firsts = await client.getChannelActivity(callerOf(ann), { channelIds, onlyFirstMessages: true });
  expect(firsts.activities).toEqual(activities.map((activity) => ({ ...activity, hasNamedTopics: false })));
  expect(await client.getChannelActivity(callerOf({ ...ann, realmId: 2 }), { channelIds })).toEqual({ activities: [] });
});
