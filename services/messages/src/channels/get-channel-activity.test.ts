import { createFakeClock } from '@parley/shared/testing';
import { callerOf, type MessagesUnderTest, startMessages, toChannel } from '../../test/start-messages';

const DAY_MS = 24 * 3600 * 1000;
const clock = createFakeClock();

let network: MessagesUnderTest;
beforeAll(async () => {
  network = await startMessages({ clock });
});
afterAll(() => network.stop());

test('a channel tells its first message, whether it lives, and whether it has topics with names', async () => {
  const { realm, client } = network;
  const ann = realm.addUser('Ann');
  const [still, named, unnamed] = [realm.addChannel('Still'), realm.addChannel('Named'), realm.addChannel('Unnamed')];
  const send = async (channelId: number, topic: string) =>
    (await client.sendMessage(callerOf(ann), { ...toChannel(channelId, topic, 'x') })).messageId;
  const first = await send(named.id, 'tea');
  await send(named.id, '');
  clock.advance(181 * DAY_MS);
  const latest = await send(unnamed.id, '');

  const channelIds = [still.id, named.id, unnamed.id];
  const { activities } = await client.getChannelActivity(callerOf(ann), { channelIds });
  expect(activities).toEqual([
    { channelId: named.id, firstMessageId: first, isRecentlyActive: false, hasNamedTopics: true },
    { channelId: unnamed.id, firstMessageId: latest, isRecentlyActive: true, hasNamedTopics: false },
  ]);
  expect(await client.getChannelActivity(callerOf({ ...ann, realmId: 2 }), { channelIds })).toEqual({ activities: [] });
});
