import { subscriptionChanged } from '@parley/shared/events';
import type { User } from '@parley/shared/proto';
import { connectRpc, type RpcConnection } from '@parley/shared/rpc';
import type { PeerChannel } from '../../test/realm-peer';
import { callerOf, type MessagesUnderTest, startMessages, toChannel } from '../../test/start-messages';
import type { Context } from '../context';
import { forgetLeftChannels } from './follow-channels';

let network: MessagesUnderTest;
let realm: RpcConnection<'realm'>;
let ctx: Context;
let bob: User;

beforeAll(async () => {
  network = await startMessages();
  realm = connectRpc('realm', network.realm.address);
  ctx = { db: network.service.db, services: { realm: realm.client } } as unknown as Context;
  bob = network.realm.addUser('Bob');
});
beforeEach(() => {
  network.realm.readersCalls.length = 0;
});
afterAll(async () => {
  realm.close();
  await network.stop();
});

const addChannel = () => network.realm.addChannel(`Channel ${network.realm.channels.length}`);
const addPeople = (count: number) => Array.from({ length: count }, (_, nth) => network.realm.addUser(`Person ${nth}`));

async function post(channel: PeerChannel): Promise<number> {
  return (await network.client.sendMessage(callerOf(bob), toChannel(channel.id, 'x', 'Hello'))).messageId;
}

/** All at once. */
async function leave(channel: PeerChannel, ...people: User[]): Promise<void> {
  network.realm.unsubscribe(channel, ...people);
  const unsubscribedIds = people.map(({ id }) => id);
  const payload = { channelId: channel.id, version: channel.subscriptionVersion, subscribedIds: [], unsubscribedIds };
  await forgetLeftChannels(ctx, [{ id: '1', ...subscriptionChanged(bob.realmId, payload) }]);
}

/** Whom an event has told that they have read the message. */
async function toldRead(messageId: number): Promise<number[]> {
  const rows = await network.service.db.query<{ payload: string }>(
    `select payload from outbox where kind = 'flags.changed' order by id`,
  );
  const events = rows.map(({ payload }) => JSON.parse(payload) as { userId: number; messageIds: number[] });
  return events.filter(({ messageIds }) => messageIds.includes(messageId)).map(({ userId }) => userId);
}

test('of hundreds who leave a channel at once, realm is asked in a few calls, and each is told what they have read', async () => {
  const channel = addChannel();
  const people = addPeople(250);
  network.realm.subscribe(channel, bob, ...people);
  const messageId = await post(channel);
  await leave(channel, ...people);
  expect(network.realm.readersCalls).toEqual([20, 100, 100, 30]);
  expect(await toldRead(messageId)).toEqual(people.map(({ id }) => id));
});

test('of people in many channels, fewer are asked about in a call', async () => {
  const channels = Array.from({ length: 300 }, addChannel);
  const people = addPeople(40);
  for (const channel of channels) network.realm.subscribe(channel, bob, ...people);
  await leave(channels[0] as PeerChannel, ...people);
  expect(network.realm.readersCalls).toEqual([20, 13, 7]);
});
