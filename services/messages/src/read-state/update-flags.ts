import { repeatOnConflict } from '@parley/shared/db';
import { BadRequestError } from '@parley/shared/errors';
import type { UpdateFlagsRequest, UpdateFlagsResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { LIMITS } from '@parley/shared/values';
import type { Context } from '../context';
import { channelsOf, loadReader } from '../messages/load-reader';
import { changeFlags } from './change-flags';
import { flagChangeOf } from './flag-change';
import { loadMarkable } from './markable.sql';

/** Sets one of the caller's flags on messages, or takes it off. */
export async function updateFlags(
  ctx: Context,
  caller: Caller,
  request: UpdateFlagsRequest,
): Promise<UpdateFlagsResponse> {
  const change = flagChangeOf(request);
  const max = LIMITS.messagesPerFetch;
  if (request.messageIds.length > max) throw new BadRequestError(`Too many messages requested (maximum ${max}).`);
  return repeatOnConflict(caller.realmId, async () => {
    const messages = await loadMarkable(ctx.db, caller.realmId, caller.userId, request.messageIds);
    const reader = await loadReader(ctx, caller, channelsOf(messages));
    return changeFlags(ctx, reader, change, request.messageIds, messages);
  });
}
