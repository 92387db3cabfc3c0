import type { User } from '@parley/shared/proto';
import { untilWaiting } from '@parley/shared/testing';
import { lockReadState } from '../src/read-state/read-state.sql';
import { callerOf, type MessagesUnderTest, toChannel } from './start-messages';

/**
 * Runs the work while a transaction moves the message to a private channel of the owner, and commits once the work waits; returns
 * the work's result.
 */
export async function whileMoving(
  { realm, client, service: { db } }: MessagesUnderTest,
  { messageId, owner }: { messageId: number; owner: User },
  deed: () => Promise<unknown>,
): Promise<unknown> {
  const privy = realm.addChannel(`Privy ${messageId}`, { isPrivate: true });
  realm.subscribe(privy, owner);
  const there = await client.sendMessage(callerOf(owner), toChannel(privy.id, 'x', 'hi'));
  let done: Promise<unknown> = Promise.resolve();
  await db.transaction(async (tx) => {
    const places = await tx.query<{ id: number }>(
      'select conversation_id as id from message where id = any($1::bigint[])',
      [[messageId, there.messageId]],
    );
    await lockReadState(
      tx,
      places.map(({ id }) => id),
    );
    await tx.query(
      `update message m set conversation_id = t.conversation_id, channel_id = t.channel_id, moved_version = 1
       from message t where t.realm_id = m.realm_id and t.id = $2 and m.realm_id = 1 and m.id = $1`,
      [messageId, there.messageId],
    );
    done = deed().catch((error) => error);
    await untilWaiting(db, done);
  });
  return done;
}
