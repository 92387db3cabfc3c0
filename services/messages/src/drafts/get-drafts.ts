import type { Drafts } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { listDrafts } from './draft.sql';
import { DRAFT_LIMITS } from './draft-limits';
import { loadDraftFacts } from './load-draft-facts';

/** All drafts of the caller, the one that was edited last first. */
export async function getDrafts(ctx: Context, caller: Caller): Promise<Drafts> {
  const [drafts] = await Promise.all([listDrafts(ctx.db, caller, DRAFT_LIMITS.count), loadDraftFacts(ctx, caller)]);
  return { drafts };
}
