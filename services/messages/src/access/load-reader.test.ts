import type { User } from '@parley/shared/proto';
import type { PeerChannel } from '../../test/realm-peer';
import {
  callerOf,
  getRequest,
  idsOf,
  type MessagesUnderTest,
  startMessages,
  term,
  toChannel,
} from '../../test/start-messages';

let network: MessagesUnderTest;
let [ann, bob]: User[] = [];
let [home, elsewhere]: PeerChannel[] = [];

beforeAll(async () => {
  network = await startMessages();
  const { realm } = network;
  [ann, bob] = [realm.addUser('Ann'), realm.addUser('Bob')];
  [home, elsewhere] = [realm.addChannel('Home'), realm.addChannel('Elsewhere')];
  realm.subscribe(home, ann, bob);
  realm.subscribe(elsewhere, bob);
});
afterAll(() => network.stop());

async function post(channel: PeerChannel | undefined, topic: string): Promise<number> {
  const { messageId } = await network.client.sendMessage(
    callerOf(bob as User),
    toChannel(channel?.id as number, topic, 'x'),
  );
  return messageId;
}

const get = async (...narrow: ReturnType<typeof term>[]) =>
  idsOf(
    await network.client.getMessages(callerOf(ann as User), getRequest({ anchorKind: 'newest', numBefore: 9, narrow })),
  );

test('starred messages of a channel never subscribed to count as received', async () => {
  const [received, starred] = [await post(home, 'a'), await post(elsewhere, 'a')];
  expect(await get()).toEqual([received]);
  await network.client.updateFlags(callerOf(ann as User), { messageIds: [starred], op: 'add', flag: 'starred' });
  expect(await get()).toEqual([received, starred]);
  expect(await get(term('topic', { text: 'a' }))).toEqual([received, starred]);
  expect(await get(term('is', { text: 'starred' }))).toEqual([starred]);
});

test('received messages stay, with the name of the channel that they were moved to', async () => {
  const moved = await post(home, 'b');
  await network.service.db.query('update message set channel_id = $2, moved_version = 1 where id = $1', [
    moved,
    elsewhere?.id,
  ]);
  expect(await get()).toContain(moved);
  expect(await get(term('channel', { id: home?.id as number, isNegated: true }))).toContain(moved);
  expect(await get(term('channel', { id: elsewhere?.id as number }))).toContain(moved);
});

test('a channel is known by its name, and by its id', async () => {
  const found = await get(term('channel', { text: 'Elsewhere' }));
  expect(await get(term('channel', { id: elsewhere?.id as number }))).toEqual(found);
  expect(found).toHaveLength(2);
});
