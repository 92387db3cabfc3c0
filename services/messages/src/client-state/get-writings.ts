import type { GetWritingsRequest, Writings } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { ReaderContext } from '../access/load-reader';
import { listDrafts } from '../drafts/draft.sql';
import { DRAFT_LIMITS } from '../drafts/drafts';
import { listSavedSnippets } from '../saved-snippets/saved-snippet.sql';

/** Drafts and snippets for the initial state of a client; no drafts for users who have disabled them on the server. */
export async function readWritings(
  ctx: Pick<ReaderContext, 'db'>,
  caller: Caller,
  request: GetWritingsRequest,
): Promise<Writings> {
  const [drafts, savedSnippets] = await Promise.all([
    request.includesDrafts ? listDrafts(ctx.db, caller, DRAFT_LIMITS.inRegister) : [],
    request.includesSavedSnippets ? listSavedSnippets(ctx.db, caller) : [],
  ]);
  return { drafts, savedSnippets };
}
