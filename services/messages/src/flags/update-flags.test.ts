import type { User } from '@parley/shared/proto';
import type { PeerChannel } from '../../test/realm-peer';
import { callerOf, getRequest, type MessagesUnderTest, startMessages, toChannel } from '../../test/start-messages';
import { untilWaiting } from '../../test/until-waiting';
import type { Context } from '../context';
import { forgetLeftChannels } from './follow-channels';

let network: MessagesUnderTest;
let ann: User;
let bob: User;
let channel: PeerChannel;
let messageId: number;

beforeAll(async () => {
  network = await startMessages();
  [ann, bob] = [network.realm.addUser('Ann'), network.realm.addUser('Bob')];
});
beforeEach(async () => {
  const { realm, client } = network;
  channel = realm.addChannel(`Channel ${realm.channels.length}`);
  realm.subscribe(channel, ann, bob);
  messageId = (await client.sendMessage(callerOf(bob), toChannel(channel.id, 'x', 'Hello'))).messageId;
  await update('add');
});
afterEach(() => {
  network.realm.meanwhile.afterMarkFacts = async () => {};
});
afterAll(() => network.stop());

const update = (op: string) => network.client.updateFlags(callerOf(ann), { messageIds: [messageId], op, flag: 'read' });

const flags = async () => {
  const { messages } = await network.client.getMessages(callerOf(ann), getRequest({ messageIds: [messageId] }));
  return messages[0]?.flags;
};

/** Ann leaves, and this service has heard of it. */
async function leave(): Promise<void> {
  const { realm, service } = network;
  realm.unsubscribe(channel, ann);
  const version = channel.subscriptionVersion;
  const payload = { channelId: channel.id, version, subscribedIds: [], unsubscribedIds: [ann.id] };
  const facts = { channels: [], mutedUserIds: [], alertWords: [] };
  const readFacts = { load: async () => ({ ...facts, realm: realm.realm, reader: { isGuest: false } }) };
  const ctx = { db: service.db, readFacts } as unknown as Context;
  await forgetLeftChannels(ctx, [{ id: '1', realmId: ann.realmId, payload } as never]);
}

const once = (deed: () => Promise<void>) => {
  network.realm.meanwhile.afterMarkFacts = async () => {
    network.realm.meanwhile.afterMarkFacts = async () => {};
    await deed();
  };
};

test('a message does not become unread in a channel that the reader leaves while they mark it', async () => {
  once(leave);
  expect(await update('remove')).toMatchObject({ ignoredChannelIds: [channel.id] });
  network.realm.subscribe(channel, ann);
  expect(await flags()).toEqual(['read']);
});

test('the same when the reader is leaving at the moment of the mark', async () => {
  const { db } = network.service;
  const marks = `hashtextextended('marks as unread ${network.realm.realm.id} ${ann.id}', 0)`;
  let marking: Promise<unknown> = Promise.resolve();
  await db.transaction(async (tx) => {
    await tx.query(`select pg_advisory_xact_lock(${marks})`);
    marking = update('remove');
    await untilWaiting(db, marking);
    network.realm.unsubscribe(channel, ann);
    await tx.query('insert into left_channel values ($1, $2, $3, $4)', [
      network.realm.realm.id,
      ann.id,
      channel.id,
      channel.subscriptionVersion,
    ]);
  });
  expect(await marking).toMatchObject({ ignoredChannelIds: [channel.id] });
});

test('who has left and joined again marks messages as unread', async () => {
  await leave();
  network.realm.subscribe(channel, ann);
  expect(await update('remove')).toMatchObject({ ignoredChannelIds: [] });
  expect(await flags()).toEqual([]);
});
