import { announce } from '@parley/shared/bus';
import { savedSnippetRemoved } from '@parley/shared/events';
import type { DeleteSavedSnippetRequest, DeleteSavedSnippetResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { deleteSavedSnippetRow } from './saved-snippet.sql';
import { snippetDoesNotExist } from './snippet-does-not-exist';

export async function deleteSavedSnippet(
  ctx: Context,
  caller: Caller,
  { savedSnippetId }: DeleteSavedSnippetRequest,
): Promise<DeleteSavedSnippetResponse> {
  const { realmId, userId } = caller;
  await ctx.db.transaction(async (tx) => {
    if (!(await deleteSavedSnippetRow(tx, caller, savedSnippetId))) throw snippetDoesNotExist();
    await announce(tx, savedSnippetRemoved(realmId, { userId, savedSnippetId }));
  });
  return {};
}
