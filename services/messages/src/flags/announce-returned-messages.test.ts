import { flagsChanged } from '@parley/shared/events';
import { connectRpc, type RpcConnection } from '@parley/shared/rpc';
import { createFakeClock, untilWaitingOrEnded } from '@parley/shared/testing';
import { callerOf, type MessagesUnderTest, startMessages, toChannel } from '../../test/start-messages';
import { KnownReadFacts } from '../access/known-read-facts';
import type { Context } from '../context';
import { announceReturnedMessages } from './announce-returned-messages';
import { storeRead } from './store-flags.sql';

let network: MessagesUnderTest;
let realm: RpcConnection<'realm'>;
beforeAll(async () => {
  network = await startMessages();
  realm = connectRpc('realm', network.realm.address);
});
afterAll(async () => {
  realm.close();
  await network.stop();
});

test('a message that comes back is not announced as unread after its reader has marked it', async () => {
  const { db } = network.service;
  const [ann, bob] = [network.realm.addUser('Ann'), network.realm.addUser('Bob')];
  const [here, there] = [network.realm.addChannel('here'), network.realm.addChannel('there')];
  network.realm.subscribe(here, ann, bob);
  const { messageId } = await network.client.sendMessage(callerOf(bob), toChannel(here.id, 'x', 'Hello'));
  const [message] = await db.query<{ id: number; conversationId: number; channelId: number }>(
    'select id, conversation_id as "conversationId", channel_id as "channelId" from message where id = $1',
    [messageId],
  );
  const [realmId, userId, messageIds] = [ann.realmId, ann.id, [messageId]];
  const returned = { messageIds, channelId: here.id, fromChannelId: there.id, heldSince: 1 };
  const readFacts = new KnownReadFacts(realm.client, createFakeClock());
  const ctx = { db, readFacts, services: { realm: realm.client } } as unknown as Context;
  let announcing = Promise.resolve();
  await db.transaction(async (tx) => {
    const event = flagsChanged(realmId, { userId, op: 'add', flag: 'read', messageIds, isAll: false });
    await storeRead(tx, {
      realmId,
      userId,
      messages: [message as NonNullable<typeof message>],
      historicalIds: [],
      event,
    });
    announcing = announceReturnedMessages(ctx, [{ id: '1', realmId, payload: returned }]);
    await untilWaitingOrEnded(db, announcing, 1);
  });
  await announcing;
  const announced = await db.query<{ op: string }>(
    `select payload::json->>'op' as op from outbox
     where kind = 'flags.changed' and payload::json->>'userId' = $1 order by id`,
    [String(userId)],
  );
  expect(announced).toEqual([{ op: 'add' }]);
});

test('messages that come back are not read for those who have read everything, nor before what the others have read', async () => {
  const { db } = network.service;
  const [sender, behind] = [network.realm.addUser('Sender'), network.realm.addUser('Behind')];
  const readers = Array.from({ length: 10 }, (_, index) => network.realm.addUser(`Reader ${index}`));
  const [here, there] = [network.realm.addChannel('read here'), network.realm.addChannel('read there')];
  network.realm.subscribe(here, sender, behind, ...readers);
  const send = async () =>
    (await network.client.sendMessage(callerOf(sender), toChannel(here.id, 'x', 'Hello'))).messageId;
  const messageIds = [await send(), await send()];
  for (const user of [behind, ...readers]) await network.client.markAllAsRead(callerOf(user), {});
  messageIds.push(await send(), await send());
  for (const user of [sender, ...readers]) await network.client.markAllAsRead(callerOf(user), {});
  // One of them has marked a message as unread.
  const [marker] = readers as [(typeof readers)[0]];
  const mark = { messageIds: messageIds.slice(0, 1), op: 'remove', flag: 'read' };
  await network.client.updateFlags(callerOf(marker), mark);
  const readFacts = new KnownReadFacts(realm.client, createFakeClock());
  const ctx = { db, readFacts, services: { realm: realm.client } } as unknown as Context;
  const [{ lastId }] = (await db.query<{ lastId: number }>('select max(id) as "lastId" from outbox')) as [
    { lastId: number },
  ];
  const before = db.statementCount;
  const returned = { messageIds, channelId: here.id, fromChannelId: there.id, heldSince: 1 };
  await announceReturnedMessages(ctx, [{ id: '2', realmId: sender.realmId, payload: returned }]);
  // One for all, and a transaction for each of these two.
  expect(db.statementCount - before).toBeLessThanOrEqual(1 + 2 * 5);
  const announced = await db.query<{ userId: number; ids: number[] }>(
    `select (payload::json->>'userId')::int as "userId", payload::json->'messageIds' as ids from outbox
     where kind = 'flags.changed' and id > $1 order by id`,
    [lastId],
  );
  expect(announced).toEqual([
    { userId: behind.id, ids: messageIds.slice(2) },
    { userId: marker.id, ids: mark.messageIds },
  ]);
});
