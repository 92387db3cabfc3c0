import type { GetMessageStateRequest, MessageState } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { listRecentDirects } from '../conversations/recent-directs.sql';
import { EVERYTHING } from '../narrows/narrow';
import { listStarred } from '../read-state/personal-flags.sql';
import { loadUnreadState } from '../read-state/unread-state';
import { findMessages } from './find-messages';
import { loadNarrowReader } from './load-narrow-reader';

/** The messages' part of what a client begins with. */
export async function getMessageState(
  ctx: Context,
  caller: Caller,
  { includesUnread, includesStarred, includesRecentDirects }: GetMessageStateRequest,
): Promise<MessageState> {
  const reader = await loadNarrowReader(ctx, caller, []);
  const search = { reader, narrow: EVERYTHING };
  const newest = { realmId: caller.realmId, direction: 'before', fromId: Number.MAX_SAFE_INTEGER, limit: 1 } as const;
  const [[maxMessageId = -1], unread, starredIds, recentDirects] = await Promise.all([
    findMessages(ctx, search, newest),
    includesUnread ? loadUnreadState(ctx.db, reader) : undefined,
    includesStarred ? listStarred(ctx.db, caller.realmId, caller.userId) : [],
    includesRecentDirects ? listRecentDirects(ctx.db, caller.realmId, caller.userId) : [],
  ]);
  return { maxMessageId, starredIds, recentDirects, ...(unread && { unread }) };
}
