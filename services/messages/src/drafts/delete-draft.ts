import { announce } from '@parley/shared/bus';
import { draftRemoved } from '@parley/shared/events';
import type { DeleteDraftRequest, DeleteDraftResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { deleteDraftRow } from './draft.sql';
import { draftDoesNotExist } from './draft-does-not-exist';
import { loadDraftFacts } from './load-draft-facts';

export async function deleteDraft(
  ctx: Context,
  caller: Caller,
  { draftId }: DeleteDraftRequest,
): Promise<DeleteDraftResponse> {
  await loadDraftFacts(ctx, caller);
  const { realmId, userId } = caller;
  await ctx.db.transaction(async (tx) => {
    if (!(await deleteDraftRow(tx, caller, draftId))) throw draftDoesNotExist();
    await announce(tx, draftRemoved(realmId, { userId, draftId }));
  });
  return {};
}
