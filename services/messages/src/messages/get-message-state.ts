import type { MessageState } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { NO_FILTER } from '../narrows/filter';
import { findMessages } from './find-messages';
import { loadReader } from './load-reader';

/** The messages' part of what a client begins with. */
export async function getMessageState(ctx: Context, caller: Caller): Promise<MessageState> {
  const reader = await loadReader(ctx, caller);
  const search = { reader, filter: NO_FILTER, isUnreadOnly: false };
  const newest = { realmId: caller.realmId, direction: 'before', fromId: Number.MAX_SAFE_INTEGER, limit: 1 } as const;
  const [maxMessageId = -1] = await findMessages(ctx, search, newest);
  return { maxMessageId };
}
