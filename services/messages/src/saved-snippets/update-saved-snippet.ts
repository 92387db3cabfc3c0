import { announce } from '@parley/shared/bus';
import { savedSnippetChanged } from '@parley/shared/events';
import type { UpdateSavedSnippetRequest, UpdateSavedSnippetResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { lockSavedSnippet, storeSavedSnippet } from './saved-snippet.sql';
import { snippetDoesNotExist } from './snippet-does-not-exist';
import { snippetFromInput } from './snippet-from-input';

/** Changes what is sent of one of the caller's snippets. SPEC-GAP: sending nothing succeeds. */
export async function updateSavedSnippet(
  ctx: Context,
  caller: Caller,
  request: UpdateSavedSnippetRequest,
): Promise<UpdateSavedSnippetResponse> {
  const changes = snippetFromInput(request);
  const { realmId, userId } = caller;
  await ctx.db.transaction(async (tx) => {
    const present = await lockSavedSnippet(tx, caller, request.savedSnippetId);
    if (present === null) throw snippetDoesNotExist();
    const savedSnippet = { ...present, ...changes };
    if (savedSnippet.title === present.title && savedSnippet.content === present.content) return;
    await storeSavedSnippet(tx, caller, savedSnippet);
    await announce(tx, savedSnippetChanged(realmId, { userId, savedSnippet }));
  });
  return {};
}
