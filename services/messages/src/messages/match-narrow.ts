import { BadRequestError } from '@parley/shared/errors';
import type { MatchNarrowRequest, MatchNarrowResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { LIMITS } from '@parley/shared/values';
import type { Context } from '../context';
import { compileNarrow } from '../narrows/compile-narrow';
import { highlightMatches, type Match } from '../search/highlight-matches';
import { findMessages } from './find-messages';
import { loadReader } from './load-reader';
import { maySee } from './permissions';
import { requireAllLoaded } from './range-of-loaded';
import { loadFittingMessages } from './shown-message.sql';

const NOTHING_SOUGHT = { words: '', phrases: [] };

/** Which of the messages, among those that the caller received, the narrow leaves, and where it was found in them. */
export async function matchNarrow(
  ctx: Context,
  caller: Caller,
  { messageIds, narrow: terms }: MatchNarrowRequest,
): Promise<MatchNarrowResponse> {
  if (messageIds.length > LIMITS.messagesPerFetch) {
    throw new BadRequestError(`Too many messages requested (maximum ${LIMITS.messagesPerFetch}).`);
  }
  const reader = await loadReader(ctx, caller);
  const narrow = await compileNarrow(ctx, caller, terms, reader);
  const isMeant = (id: number) => narrow.messageIds?.includes(id) ?? true;
  const named = { ...narrow, scope: { kind: 'received' } as const, messageIds: messageIds.filter(isMeant) };
  const range = { realmId: caller.realmId, direction: 'after', fromId: 0, limit: messageIds.length } as const;
  const ids = await findMessages(ctx, { reader, narrow: named }, range);
  const rows = await loadFittingMessages(ctx.db, caller.realmId, ids, caller.userId);
  requireAllLoaded(ids, rows);
  const received = rows.filter((row) => maySee(row, reader));
  const matches = await highlightMatches(ctx, caller, received, narrow.search ?? NOTHING_SOUGHT);
  return { matches: received.map(({ id }, index) => ({ messageId: id, ...(matches[index] as Match) })) };
}
