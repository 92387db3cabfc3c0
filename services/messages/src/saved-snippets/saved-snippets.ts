import { announce } from '@parley/shared/bus';
import { BadRequestError, NothingToDoError } from '@parley/shared/errors';
import { savedSnippetAdded, savedSnippetChanged, savedSnippetRemoved } from '@parley/shared/events';
import { joinTransaction, prismaTransaction } from '@parley/shared/prisma';
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
import { REFUSAL } from '@parley/shared/texts/refusals';
import { codePointLength, LIMITS } from '@parley/shared/values';
import type { Context } from '../context';
import { listSavedSnippets, lockSavedSnippet } from './saved-snippet.sql';

// SPEC-GAP: their number is not documented; all of them are returned at once.
const MAX_SNIPPETS = 1_000;

/** A request repeated with the same key creates one snippet. */
export async function createSavedSnippet(
  ctx: Context,
  caller: Caller,
  request: CreateSavedSnippetRequest,
): Promise<CreateSavedSnippetResponse> {
  const { title, content, idempotencyKey } = request;
  const keyed = keyedRequest(caller, 'saved_snippet', idempotencyKey, [title, content]);
  const first = await findFirstAnswer<CreateSavedSnippetResponse>(ctx, ctx.db, keyed);
  if (first) return first;
  const texts = snippetFromInput(request);
  const { realmId, userId } = caller;
  if ((await ctx.prisma.savedSnippet.count({ where: { realmId, userId } })) >= MAX_SNIPPETS) {
    throw new BadRequestError(REFUSAL.messages.tooManySnippets);
  }
  const createdAtMs = ctx.clock.now();
  const data = { realmId, userId, ...texts, createdAt: new Date(createdAtMs) };
  return storeOnce(ctx, keyed, async (tx) => {
    const { id } = await joinTransaction(tx, ctx.prisma, ({ savedSnippet }) =>
      savedSnippet.create({ data, select: { id: true } }),
    );
    await announce(tx, savedSnippetAdded(realmId, { userId, savedSnippet: { id, ...texts, createdAtMs } }));
    return { savedSnippetId: id };
  });
}

export async function getSavedSnippets(ctx: Context, caller: Caller): Promise<SavedSnippets> {
  return { savedSnippets: await listSavedSnippets(ctx.db, caller) };
}

/** Changes the given fields of one of the caller's snippets. SPEC-GAP: a request without fields succeeds. */
export async function updateSavedSnippet(
  ctx: Context,
  caller: Caller,
  request: UpdateSavedSnippetRequest,
): Promise<UpdateSavedSnippetResponse> {
  const changes = snippetFromInput(request);
  const { realmId, userId } = caller;
  const id = request.savedSnippetId;
  await prismaTransaction(ctx.db, ctx.prisma, async (tx, prisma) => {
    const present = await lockSavedSnippet(tx, caller, id);
    if (present === null) throw snippetDoesNotExist();
    const savedSnippet = { ...present, ...changes };
    if (savedSnippet.title === present.title && savedSnippet.content === present.content) return;
    await prisma.savedSnippet.updateMany({ where: { realmId, userId, id }, data: changes });
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
  await prismaTransaction(ctx.db, ctx.prisma, async (tx, prisma) => {
    const { count } = await prisma.savedSnippet.deleteMany({ where: { realmId, userId, id: savedSnippetId } });
    if (count === 0) throw snippetDoesNotExist();
    await announce(tx, savedSnippetRemoved(realmId, { userId, savedSnippetId }));
  });
  return {};
}

interface Texts {
  title: string;
  content: string;
}

const LIMIT = { title: LIMITS.savedSnippetTitleLength, content: LIMITS.messageLength };

/** The texts of a snippet for storage; fields that were not sent stay absent. */
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
    throw new BadRequestError(REFUSAL.requests.tooLong(name, String(LIMIT[name])));
  }
  return text;
}

function snippetDoesNotExist(): BadRequestError {
  return new NothingToDoError('Saved snippet does not exist.', 404);
}
