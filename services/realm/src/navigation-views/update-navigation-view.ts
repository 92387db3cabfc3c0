import { announce } from '@parley/shared/bus';
import { NotFoundError } from '@parley/shared/errors';
import { navigationViewChanged } from '@parley/shared/events';
import type { NavigationView, UpdateNavigationViewRequest, UpdateNavigationViewResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { lockUser } from '../users/users.sql';
import { listNavigationViews, storeNavigationView } from './navigation-views.sql';
import { requireUnique } from './require-unique';
import { nameFromInput } from './view-from-input';

/** Renames, pins or unpins one of the caller's navigation views. */
export async function updateNavigationView(
  ctx: Context,
  caller: Caller,
  request: UpdateNavigationViewRequest,
): Promise<UpdateNavigationViewResponse> {
  const { realmId, userId } = caller;
  const { fragment } = request;
  await ctx.db.transaction(async (tx) => {
    await lockUser(tx, realmId, userId);
    const present = await listNavigationViews(tx, realmId, userId);
    const view = present.find((candidate) => candidate.fragment === fragment);
    if (!view) throw new NotFoundError('Navigation view does not exist.');
    const changes = changesOf(view, request);
    if (Object.keys(changes).length === 0) return;
    const wanted = { ...view, ...changes };
    requireUnique(
      wanted,
      present.filter((candidate) => candidate !== view),
    );
    await storeNavigationView(tx, caller, wanted);
    await announce(tx, navigationViewChanged(realmId, { userId, fragment, ...changes }));
  });
  return {};
}

/** What the request would have otherwise than it is. */
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
