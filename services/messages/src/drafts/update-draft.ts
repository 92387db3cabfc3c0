import { isDeepStrictEqual } from 'node:util';
import { announce } from '@parley/shared/bus';
import { draftChanged } from '@parley/shared/events';
import type { DraftInput, UpdateDraftRequest, UpdateDraftResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { lockDraft, replaceDraft } from './draft.sql';
import { draftDoesNotExist } from './draft-does-not-exist';
import { draftFromInput } from './draft-from-input';
import { loadDraftFacts } from './load-draft-facts';

/** Replaces a draft of the caller by another one. */
export async function updateDraft(
  ctx: Context,
  caller: Caller,
  { draftId, draft: sent }: UpdateDraftRequest,
): Promise<UpdateDraftResponse> {
  const input = sent as DraftInput;
  const facts = await loadDraftFacts(ctx, caller, [input]);
  const { realmId, userId } = caller;
  await ctx.db.transaction(async (tx) => {
    const present = await lockDraft(tx, caller, draftId);
    if (present === null) throw draftDoesNotExist();
    const draft = { id: draftId, ...draftFromInput(input, facts) };
    if (isDeepStrictEqual(draft, present)) return;
    await replaceDraft(tx, caller, draft);
    await announce(tx, draftChanged(realmId, { userId, draft }));
  });
  return {};
}
