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
