import { announce } from '@parley/shared/bus';
import { BadRequestError, NotFoundError, NothingToDoError } from '@parley/shared/errors';
import { navigationViewAdded, navigationViewChanged, navigationViewRemoved } from '@parley/shared/events';
import { prismaTransaction } from '@parley/shared/prisma';
import type {
  AddNavigationViewResponse,
  NavigationView,
  NavigationViews,
  RemoveNavigationViewRequest,
  RemoveNavigationViewResponse,
  UpdateNavigationViewRequest,
  UpdateNavigationViewResponse,
} from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { REFUSAL } from '@parley/shared/texts/refusals';
import { codePointLength, findForbiddenCharacter } from '@parley/shared/values';
import { lockUser } from '../accounts/users.sql';
import { possibleTexts } from '../base/possible-values';
import type { Context, Tables } from '../context';

/** The caller's stored navigation views. */
export async function getNavigationViews(ctx: Context, { realmId, userId }: Caller): Promise<NavigationViews> {
  return { views: await listNavigationViews(ctx.prisma, realmId, userId) };
}

/** Adds a navigation view for the caller. */
export async function addNavigationView(
  ctx: Context,
  caller: Caller,
  request: NavigationView,
): Promise<AddNavigationViewResponse> {
  const { realmId, userId } = caller;
  const view = viewFromInput(request);
  await prismaTransaction(ctx.db, ctx.prisma, async (tx, prisma) => {
    await lockUser(tx, realmId, userId);
    const present = await listNavigationViews(prisma, realmId, userId);
    requireUnique(view, present);
    if (present.length >= MAX_NAVIGATION_VIEWS) {
      throw new BadRequestError(`You cannot have more than ${MAX_NAVIGATION_VIEWS} navigation views.`);
    }
    await prisma.navigationView.create({ data: { realmId, userId, ...view } });
    await announce(tx, navigationViewAdded(realmId, { userId, view }));
  });
  return {};
}

/** Renames, pins or unpins one of the caller's navigation views. */
export async function updateNavigationView(
  ctx: Context,
  caller: Caller,
  request: UpdateNavigationViewRequest,
): Promise<UpdateNavigationViewResponse> {
  const { realmId, userId } = caller;
  const { fragment } = request;
  await prismaTransaction(ctx.db, ctx.prisma, async (tx, prisma) => {
    await lockUser(tx, realmId, userId);
    const present = await listNavigationViews(prisma, realmId, userId);
    const view = present.find((candidate) => candidate.fragment === fragment);
    if (!view) throw new NotFoundError('Navigation view does not exist.');
    const changes = changesOf(view, request);
    if (Object.keys(changes).length === 0) return;
    const wanted = { ...view, ...changes };
    requireUnique(
      wanted,
      present.filter((candidate) => candidate !== view),
    );
    await prisma.navigationView.updateMany({ where: { realmId, userId, fragment }, data: changes });
    await announce(tx, navigationViewChanged(realmId, { userId, fragment, ...changes }));
  });
  return {};
}

/** The differences of the request from the present values. */
function changesOf(
  view: NavigationView,
  request: UpdateNavigationViewRequest,
): Partial<Pick<NavigationView, 'name' | 'isPinned'>> {
  const wanted = request.name === undefined ? {} : nameFromInput(view.fragment, request.name);
  return {
    ...(wanted.name !== undefined && wanted.name !== view.name && wanted),
    ...(request.isPinned !== undefined && request.isPinned !== view.isPinned && { isPinned: request.isPinned }),
  };
}

const NOT_FOUND = 404;

/** Removes one of the caller's navigation views. */
export async function removeNavigationView(
  ctx: Context,
  caller: Caller,
  { fragment }: RemoveNavigationViewRequest,
): Promise<RemoveNavigationViewResponse> {
  const { realmId, userId } = caller;
  await prismaTransaction(ctx.db, ctx.prisma, async (tx, prisma) => {
    const possible = possibleTexts([fragment]);
    const removed = await prisma.navigationView.deleteMany({ where: { realmId, userId, fragment: { in: possible } } });
    // SPEC-GAP: the documents give this operation the generic code, PATCH another one, and both this status.
    if (removed.count === 0) throw new NothingToDoError('Navigation view does not exist.', NOT_FOUND);
    await announce(tx, navigationViewRemoved(realmId, { userId, fragment }));
  });
  return {};
}

/** The user's views, oldest first. */
async function listNavigationViews(prisma: Tables, realmId: number, userId: number): Promise<NavigationView[]> {
  const rows = await prisma.navigationView.findMany({
    where: { realmId, userId },
    select: { fragment: true, isPinned: true, name: true },
    orderBy: { position: 'asc' },
  });
  return rows.map(({ name, ...view }) => ({ ...view, ...(name !== null && { name }) }));
}

/** Views built into clients, by the fragments of their web addresses. */
const BUILT_IN = new Set([
  'inbox',
  'recent',
  'feed',
  'drafts',
  'narrow/has/reaction/sender/me',
  'narrow/is/mentioned',
  'narrow/is/starred',
]);

// SPEC-GAP: no bounds are given.
const MAX_FRAGMENT_LENGTH = 1_000;
const MAX_NAME_LENGTH = 100;
const MAX_NAVIGATION_VIEWS = 200;

/** The validated view of a request. */
function viewFromInput({ fragment: text, isPinned, name }: NavigationView): NavigationView {
  const fragment = text.trim();
  if (fragment === '') throw new BadRequestError('fragment cannot be blank');
  checkText('fragment', fragment, MAX_FRAGMENT_LENGTH);
  return { fragment, isPinned, ...nameFromInput(fragment, name) };
}

/** The normalized name of a view with that fragment; built-in views have none. */
function nameFromInput(fragment: string, text: string | undefined): { name?: string } {
  const name = text?.trim();
  if (BUILT_IN.has(fragment)) {
    if (name !== undefined) throw new BadRequestError('Built-in views cannot have a custom name.');
    return {};
  }
  if (!name) throw new BadRequestError('Custom views must have a valid name.');
  checkText('name', name, MAX_NAME_LENGTH);
  return { name };
}

function checkText(what: string, text: string, limit: number): void {
  if (codePointLength(text) > limit) throw new BadRequestError(REFUSAL.requests.tooLong(what, String(limit)));
  const position = findForbiddenCharacter(text);
  if (position !== null) throw new BadRequestError(`Invalid character in ${what}, at position ${position}.`);
}

/** Refuses the fragment or name of another view. */
function requireUnique({ fragment, name }: NavigationView, others: readonly NavigationView[]): void {
  const isTaken = others.some((other) => other.fragment === fragment || (name !== undefined && other.name === name));
  if (isTaken) throw new BadRequestError('Navigation view already exists.');
}
