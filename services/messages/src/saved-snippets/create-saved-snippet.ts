import { announce } from '@parley/shared/bus';
import { BadRequestError } from '@parley/shared/errors';
import { savedSnippetAdded } from '@parley/shared/events';
import type { CreateSavedSnippetRequest, CreateSavedSnippetResponse } from '@parley/shared/proto';
import { findFirstAnswer, keyedRequest, storeOnce } from '@parley/shared/request-keys';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { countSavedSnippets, insertSavedSnippet } from './saved-snippet.sql';
import { snippetFromInput } from './snippet-from-input';

// SPEC-GAP: the documents do not bound their number; all of them are answered at once.
const MAX_SNIPPETS = 1_000;

/** Once for whoever repeats it with its key. */
export async function createSavedSnippet(
  ctx: Context,
  caller: Caller,
  request: CreateSavedSnippetRequest,
): Promise<CreateSavedSnippetResponse> {
  const { title, content, idempotencyKey } = request;
  const keyed = keyedRequest(caller, 'saved_snippet', idempotencyKey, [title, content]);
  const first = await findFirstAnswer<CreateSavedSnippetResponse>(ctx, ctx.db, keyed);
  if (first) return first;
  const snippet = { ...snippetFromInput(request), createdAtMs: ctx.clock.now() };
  if ((await countSavedSnippets(ctx.db, caller)) >= MAX_SNIPPETS) {
    throw new BadRequestError('There are too many saved snippets; delete some of them first.');
  }
  const { realmId, userId } = caller;
  return storeOnce(ctx, keyed, async (tx) => {
    const id = await insertSavedSnippet(tx, caller, snippet);
    await announce(tx, savedSnippetAdded(realmId, { userId, savedSnippet: { id, ...snippet } }));
    return { savedSnippetId: id };
  });
}
