import type { GetWritingsRequest, Writings } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { listSavedSnippets } from '../saved-snippets/saved-snippet.sql';
import { listDrafts } from './draft.sql';
import { DRAFT_LIMITS } from './draft-limits';

/** What a client begins with. Whoever wants no drafts to be kept here has none. */
export async function getWritings(ctx: Context, caller: Caller, request: GetWritingsRequest): Promise<Writings> {
  const [drafts, savedSnippets] = await Promise.all([
    request.includesDrafts ? listDrafts(ctx.db, caller, DRAFT_LIMITS.inRegister) : [],
    request.includesSavedSnippets ? listSavedSnippets(ctx.db, caller) : [],
  ]);
  return { drafts, savedSnippets };
}
