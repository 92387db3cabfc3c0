import { announce } from '@parley/shared/bus';
import { BadRequestError } from '@parley/shared/errors';
import { navigationViewRemoved } from '@parley/shared/events';
import type { RemoveNavigationViewRequest, RemoveNavigationViewResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { possibleTexts } from '../possible-values';
import { deleteNavigationView } from './navigation-views.sql';

const NOT_FOUND = 404;

/** Takes one of the caller's navigation views away. */
export async function removeNavigationView(
  ctx: Context,
  caller: Caller,
  { fragment }: RemoveNavigationViewRequest,
): Promise<RemoveNavigationViewResponse> {
  const { realmId, userId } = caller;
  await ctx.db.transaction(async (tx) => {
    const [possible] = possibleTexts([fragment]);
    const wasThere = possible !== undefined && (await deleteNavigationView(tx, caller, possible));
    // SPEC-GAP: the documents give this operation the generic code, PATCH another one, and both this status.
    if (!wasThere) throw new BadRequestError('Navigation view does not exist.', {}, NOT_FOUND);
    await announce(tx, navigationViewRemoved(realmId, { userId, fragment }));
  });
  return {};
}
