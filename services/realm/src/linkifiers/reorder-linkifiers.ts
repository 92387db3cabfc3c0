import { BadRequestError } from '@parley/shared/errors';
import type { Linkifier, ReorderLinkifiersRequest, ReorderLinkifiersResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { requireAdministrator } from '../guards';
import { changeOrganization } from '../realms/change-organization';
import { announceLinkifiers } from './announce-linkifiers';
import { listLinkifiersOf, storeLinkifierOrder } from './linkifiers.sql';

/** Says in which order linkifiers are applied: earlier ones win. */
export async function reorderLinkifiers(
  ctx: Context,
  caller: Caller,
  { orderedIds }: ReorderLinkifiersRequest,
): Promise<ReorderLinkifiersResponse> {
  return changeOrganization(ctx, caller, requireAdministrator, async (tx, { realmId }) => {
    const linkifiers = await listLinkifiersOf(tx, realmId);
    checkOrder(orderedIds, linkifiers);
    if (linkifiers.every(({ id }, index) => id === orderedIds[index])) return {};
    await storeLinkifierOrder(tx, realmId, orderedIds);
    await announceLinkifiers(tx, realmId);
    return {};
  });
}

function checkOrder(orderedIds: readonly number[], linkifiers: readonly Linkifier[]): void {
  const ids = new Set(orderedIds);
  if (ids.size < orderedIds.length) {
    throw new BadRequestError('The ordered list must not contain duplicated linkifiers');
  }
  if (ids.size !== linkifiers.length || !linkifiers.every(({ id }) => ids.has(id))) {
    throw new BadRequestError('The ordered list must enumerate all existing linkifiers exactly once');
  }
}
