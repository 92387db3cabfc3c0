import { announce } from '@parley/shared/bus';
import { flagsChanged } from '@parley/shared/events';
import type { MarkAllAsReadResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { markAllRead } from './read-state.sql';

/** Everything that was sent so far is read: a watermark moves, however much was unread. */
export async function markAllAsRead(ctx: Context, { realmId, userId }: Caller): Promise<MarkAllAsReadResponse> {
  await ctx.db.transaction(async (tx) => {
    await markAllRead(tx, realmId, userId);
    await announce(tx, flagsChanged(realmId, { userId, op: 'add', flag: 'read', messageIds: [], isAll: true }));
  });
  return {};
}
