import { announce } from '@parley/shared/bus';
import { BadRequestError } from '@parley/shared/errors';
import { savedSnippetAdded, savedSnippetChanged, savedSnippetRemoved } from '@parley/shared/events';
import type {
  CreateSavedSnippetRequest,
  CreateSavedSnippetResponse,
  DeleteSavedSnippetRequest,
  DeleteSavedSnippetResponse,
  SavedSnippets,
  UpdateSavedSnippetRequest,
  UpdateSavedSnippetResponse,
} from '@parley/shared/proto';
import { findFirstAnswer, keyedRequest, storeOnce } from '@parley/shared/request-keys';
import type { Caller } from '@parley/shared/rpc';
import { codePointLength, LIMITS } from '@parley/shared/values';
import type { Context } from '../context';
import {
  countSavedSnippets,
  deleteSavedSnippetRow,
  insertSavedSnippet,
  listSavedSnippets,
  lockSavedSnippet,
  storeSavedSnippet,
} from './saved-snippet.sql';

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

export async function getSavedSnippets(ctx: Context, caller: Caller): Promise<SavedSnippets> {
  return { savedSnippets: await listSavedSnippets(ctx.db, caller) };
}

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

interface Texts {
  title: string;
  content: string;
}

const LIMIT = { title: LIMITS.savedSnippetTitleLength, content: LIMITS.messageLength };

/** The texts of a snippet as they are kept; those that were not sent stay away. */
function snippetFromInput<Sent extends Partial<Texts>>({
  title,
  content,
}: Sent): Pick<Sent & Texts, keyof Texts & keyof Sent>;
function snippetFromInput({ title, content }: Partial<Texts>): Partial<Texts> {
  return {
    ...(title !== undefined && { title: checked('title', title) }),
    ...(content !== undefined && { content: checked('content', content) }),
  };
}

function checked(name: keyof Texts, sent: string): string {
  const text = sent.trim();
  if (text === '') throw new BadRequestError(`${name} cannot be blank`);
  if (text.includes('\0')) throw new BadRequestError(`${name} must not contain null bytes`);
  if (codePointLength(text) > LIMIT[name]) {
    throw new BadRequestError(`${name} is too long (limit: ${LIMIT[name]} characters)`);
  }
  return text;
}

function snippetDoesNotExist(): BadRequestError {
  return new BadRequestError('Saved snippet does not exist.', {}, 404);
}
