import { repeatOnConflict } from '@parley/shared/db';
import type { UpdateFlagsInNarrowRequest, UpdateFlagsInNarrowResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { checkRange } from '../messages/anchor';
import { findAround } from '../messages/find-around';
import { loadNarrowReader } from '../messages/load-narrow-reader';
import { compileNarrow } from '../narrows/compile-narrow';
import { changeFlags } from './change-flags';
import { flagChangeOf } from './flag-change';
import { loadMarkable } from './markable.sql';

/** What was deleted or moved meanwhile is looked for again. */
export function updateFlagsInNarrow(
  ctx: Context,
  caller: Caller,
  request: UpdateFlagsInNarrowRequest,
): Promise<UpdateFlagsInNarrowResponse> {
  return repeatOnConflict(caller.realmId, () => tryToUpdate(ctx, caller, request));
}

/** Sets one of the caller's flags on the messages around an anchor, or takes it off. */
async function tryToUpdate(
  ctx: Context,
  caller: Caller,
  request: UpdateFlagsInNarrowRequest,
): Promise<UpdateFlagsInNarrowResponse> {
  checkRange({ ...request, messageIds: [] });
  const change = flagChangeOf(request);
  const reader = await loadNarrowReader(ctx, caller, request.narrow);
  const narrow = await compileNarrow(ctx, caller, request.narrow, reader);
  const { ids, range } = await findAround(ctx, request, { reader, narrow });
  const messages = await loadMarkable(ctx.db, caller.realmId, caller.userId, ids);
  const { changedIds, ignoredChannelIds } = await changeFlags(ctx, reader, change, ids, messages);
  const ascending = ids.sort((a, b) => a - b);
  const [first, last] = [ascending[0], ascending.at(-1)];
  return {
    processedCount: ids.length,
    updatedCount: changedIds.length,
    ...(first !== undefined && { firstProcessedId: first }),
    ...(last !== undefined && { lastProcessedId: last }),
    foundOldest: range.foundOldest,
    foundNewest: range.foundNewest,
    ignoredChannelIds,
  };
}
