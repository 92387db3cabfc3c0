import type { FindNewestReceivedRequest, NewestReceived } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { findNewestReceivedId } from './newest-received.sql';

/** The newest message that the caller received, for a deprecated field of GET /users/me. */
export async function findNewestReceived(
  { db }: Pick<Context, 'db'>,
  { realmId, userId }: Caller,
  { received }: FindNewestReceivedRequest,
): Promise<NewestReceived> {
  return { messageId: (await findNewestReceivedId(db, realmId, userId, received)) ?? -1 };
}
