import { announce } from '@parley/shared/bus';
import { BadRequestError } from '@parley/shared/errors';
import { draftsAdded } from '@parley/shared/events';
import type { CreateDraftsRequest, CreateDraftsResponse, DraftInput } from '@parley/shared/proto';
import { findFirstAnswer, keyedRequest, storeOnce } from '@parley/shared/request-keys';
import type { Caller } from '@parley/shared/rpc';
import { codePointLength } from '@parley/shared/values';
import type { Context } from '../context';
import { insertDrafts, measureDrafts, type NewDraft } from './draft.sql';
import { draftFromInput } from './draft-from-input';
import { DRAFT_LIMITS } from './draft-limits';
import { loadDraftFacts } from './load-draft-facts';

/** Keeps new drafts of the caller: all of them, or none; once for whoever repeats it with its key. */
export async function createDrafts(
  ctx: Context,
  caller: Caller,
  { drafts: inputs, idempotencyKey }: CreateDraftsRequest,
): Promise<CreateDraftsResponse> {
  if (inputs.length > DRAFT_LIMITS.perRequest) {
    throw new BadRequestError(`Too many drafts in one request (maximum ${DRAFT_LIMITS.perRequest}).`);
  }
  const keyed = keyedRequest(caller, 'drafts', idempotencyKey, inputs.map(meaningOf));
  const first = await findFirstAnswer<CreateDraftsResponse>(ctx, ctx.db, keyed);
  if (first) return first;
  const facts = await loadDraftFacts(ctx, caller, inputs);
  const drafts = inputs.map((input) => draftFromInput(input, facts));
  if (drafts.length === 0) return { draftIds: [] };
  checkRoom(await measureDrafts(ctx.db, caller), drafts);
  const { realmId, userId } = caller;
  return storeOnce(ctx, keyed, async (tx) => {
    const draftIds = await insertDrafts(tx, caller, drafts);
    const added = drafts.map((draft, index) => ({ id: draftIds[index] as number, ...draft }));
    await announce(tx, draftsAdded(realmId, { userId, drafts: added }));
    return { draftIds };
  });
}

function meaningOf({ kind, toIds, topic, content, editedAtMs }: DraftInput): unknown[] {
  return [kind, toIds, topic, content, editedAtMs];
}

function checkRoom(kept: { count: number; characters: number }, drafts: readonly NewDraft[]): void {
  const characters = drafts.reduce((sum, { content }) => sum + codePointLength(content), kept.characters);
  if (kept.count + drafts.length > DRAFT_LIMITS.count || characters > DRAFT_LIMITS.characters) {
    throw new BadRequestError('There are too many drafts; delete some of them first.');
  }
}
