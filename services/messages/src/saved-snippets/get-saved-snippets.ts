import type { SavedSnippets } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { listSavedSnippets } from './saved-snippet.sql';

export async function getSavedSnippets(ctx: Context, caller: Caller): Promise<SavedSnippets> {
  return { savedSnippets: await listSavedSnippets(ctx.db, caller) };
}
