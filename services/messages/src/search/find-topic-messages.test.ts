import { connectRpc } from '@parley/shared/rpc';
import { systemClock } from '@parley/shared/values';
import { callerOf, type MessagesUnderTest, startMessages, toChannel } from '../../test/start-messages';
import { KnownReadFacts } from '../access/known-read-facts';
import type { Context } from '../context';
import { findTopicMessages } from './find-topic-messages';

let network: MessagesUnderTest;

beforeAll(async () => {
  network = await startMessages();
});

afterAll(() => network.stop());

test('a link leads to the newest message of the topic that its author may read', async () => {
  const { realm, client, service } = network;
  const [ann, bob] = [realm.addUser('Ann'), realm.addUser('Bob')];
  const [open, closed] = [realm.addChannel('Open'), realm.addChannel('Closed', { isPrivate: true })];
  const vault = realm.addChannel('Vault', { isPrivate: true, isHistoryPublic: false });
  for (const channel of [closed, vault]) realm.subscribe(channel, bob);
  const post = async (channelId: number, topic: string) =>
    (await client.sendMessage(callerOf(bob), toChannel(channelId, topic, 'hi'))).messageId;
  await post(open.id, 'Lunch');
  const newest = await post(open.id, 'lunch');
  const secret = await post(closed.id, 'lunch');
  realm.subscribe(vault, ann);
  const received = await post(vault.id, 'lunch');
  realm.unsubscribe(vault, ann);
  await post(vault.id, 'lunch');

  const connection = connectRpc('realm', realm.address);
  const ctx = { db: service.db, readFacts: new KnownReadFacts(connection.client, systemClock) } as Context;
  const topics = ['Open', 'Closed', 'Vault', 'Attic'].map((channelName) => ({ channelName, topic: 'LUNCH' }));
  const find = (user: typeof ann) => findTopicMessages(ctx, callerOf(user), topics, [open, closed, vault]);
  const found = (channelId: number, messageId: number) => ({ channelId, topic: 'LUNCH', messageId });
  expect(await find(ann)).toEqual([found(open.id, newest)]);
  realm.subscribe(vault, ann);
  expect(await find(ann)).toEqual([found(open.id, newest), found(vault.id, received)]);
  expect(await find(bob)).toContainEqual(found(closed.id, secret));
  connection.close();
});
