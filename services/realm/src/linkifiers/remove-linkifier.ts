import type { RemoveLinkifierRequest, RemoveLinkifierResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { requireAdministrator } from '../guards';
import { changeOrganization } from '../realms/change-organization';
import { announceLinkifiers } from './announce-linkifiers';
import { findLinkifier } from './find-linkifier';
import { deleteLinkifier, listLinkifiersOf } from './linkifiers.sql';

/** Removes a linkifier; messages sent before keep their links. */
export async function removeLinkifier(
  ctx: Context,
  caller: Caller,
  { id }: RemoveLinkifierRequest,
): Promise<RemoveLinkifierResponse> {
  return changeOrganization(ctx, caller, requireAdministrator, async (tx, { realmId }) => {
    findLinkifier(await listLinkifiersOf(tx, realmId), id);
    await deleteLinkifier(tx, realmId, id);
    await announceLinkifiers(tx, realmId);
    return {};
  });
}
