import { callerOf, type MessagesUnderTest, startMessages, toChannel, toUsers } from '../../test/start-messages';

let network: MessagesUnderTest;

beforeAll(async () => {
  network = await startMessages();
});
afterAll(() => network.stop());

test('the newest received message is of a channel while the user was in it, or direct', async () => {
  const { realm, client } = network;
  const [ann, ben, cid] = [realm.addUser('Ann'), realm.addUser('Ben'), realm.addUser('Cid')];
  const [left, other] = [realm.addChannel('left'), realm.addChannel('other')];
  const received = () =>
    [...(left.intervals.get(ben.id) ?? [])].map((versions) => ({ channelId: left.id, ...versions }));
  const newest = async () =>
    (await client.findNewestReceived(callerOf(ben), { received: received() as never })).messageId;
  const send = async (request: ReturnType<typeof toChannel>) =>
    (await client.sendMessage(callerOf(ann), request)).messageId;
  realm.subscribe(left, ann, ben);
  realm.subscribe(other, ann);
  expect(await newest()).toBe(-1);
  await send(toChannel(left.id, 'x', 'first'));
  const last = await send(toChannel(left.id, 'x', 'last'));
  await send(toChannel(other.id, 'x', 'not for Ben'));
  expect(await newest()).toBe(last);
  realm.unsubscribe(left, ben);
  await send(toChannel(left.id, 'x', 'after he left'));
  expect(await newest()).toBe(last);
  const direct = await send(toUsers([ben], 'for Ben'));
  expect(await newest()).toBe(direct);
  realm.subscribe(left, ben);
  expect(await newest()).toBe(direct);
  const again = await send(toChannel(left.id, 'x', 'since he is back'));
  expect(await newest()).toBe(again);
  // However much others write meanwhile.
  for (let count = 0; count < 10; count += 1) {
    await send(count % 2 === 0 ? toUsers([cid], 'not for Ben') : toChannel(other.id, 'x', 'not for Ben'));
    expect(await newest()).toBe(again);
  }
  realm.unsubscribe(left, ben);
  expect(await newest()).toBe(again);
});
