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

test('first messages come with a version, and not again until one of the organization has changed', async () => {
  const { realm, client } = network;
  const ada = realm.addUser('Ada', { role: 200 });
  realm.addUser('Notification Bot', { isBot: true, isSystemBot: true });
  const [old, young, other] = [realm.addChannel('Old'), realm.addChannel('Young'), realm.addChannel('Other')];
  const send = async (channelId: number) =>
    (await client.sendMessage(callerOf(ada), toChannel(channelId, 'tea', 'x'))).messageId;
  const first = await send(old.id);
  const channelIds = [old.id, young.id, other.id];
  const ask = (knownVersion: string) =>
    client.getChannelActivity(callerOf(ada), { channelIds, onlyFirstMessages: true, knownVersion });
  const versions: string[] = [];
  /** The first messages, if they have changed since the last time. */
  const changed = async () => {
    const { version = '', activities } = await ask(versions.at(-1) ?? '');
    versions.push(version);
    return activities.map(({ firstMessageId }) => firstMessageId);
  };

  expect(await changed()).toEqual([first]);
  const second = await send(old.id);
  expect(await ask(versions[0] as string)).toEqual({ activities: [], version: versions[0], isKnown: true });
  const begun = await send(young.id);
  expect(await changed()).toEqual([first, begun]);
  await client.deleteMessage(callerOf(ada), { messageId: first });
  expect(await changed()).toEqual([second, begun]);
  const move = { messageId: begun, channelId: other.id, propagateMode: 'change_all' };
  await client.editMessage(callerOf(ada), { ...move, tellsOldTopic: false, tellsNewTopic: false });
  expect(await changed()).toEqual([second, begun]);
  expect(new Set(versions).size).toBe(4);
});
