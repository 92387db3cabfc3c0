import { announce } from '@parley/shared/bus';
import { BadRequestError } from '@parley/shared/errors';
import { navigationViewAdded } from '@parley/shared/events';
import type { AddNavigationViewResponse, NavigationView } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { lockUser } from '../users/users.sql';
import { insertNavigationView, listNavigationViews } from './navigation-views.sql';
import { requireUnique } from './require-unique';
import { MAX_NAVIGATION_VIEWS, viewFromInput } from './view-from-input';

/** Gives the caller one more navigation view. */
export async function addNavigationView(
  ctx: Context,
  caller: Caller,
  request: NavigationView,
): Promise<AddNavigationViewResponse> {
  const { realmId, userId } = caller;
  const view = viewFromInput(request);
  await ctx.db.transaction(async (tx) => {
    await lockUser(tx, realmId, userId);
    const present = await listNavigationViews(tx, realmId, userId);
    requireUnique(view, present);
    if (present.length >= MAX_NAVIGATION_VIEWS) {
      throw new BadRequestError(`You cannot have more than ${MAX_NAVIGATION_VIEWS} navigation views.`);
    }
    await insertNavigationView(tx, caller, view);
    await announce(tx, navigationViewAdded(realmId, { userId, view }));
  });
  return {};
}
