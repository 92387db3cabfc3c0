import type { UpdateLinkifierRequest, UpdateLinkifierResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { requireAdministrator } from '../guards';
import { changeOrganization } from '../realms/change-organization';
import { announceLinkifiers } from './announce-linkifiers';
import { findLinkifier } from './find-linkifier';
import { checkLinkifier } from './linkifier-input';
import { listLinkifiersOf, storeLinkifier } from './linkifiers.sql';

/** Gives a linkifier another pattern and template; its place in the order stays. */
export async function updateLinkifier(
  ctx: Context,
  caller: Caller,
  { id, pattern, urlTemplate }: UpdateLinkifierRequest,
): Promise<UpdateLinkifierResponse> {
  return changeOrganization(ctx, caller, requireAdministrator, async (tx, { realmId }) => {
    const [linkifier, others] = findLinkifier(await listLinkifiersOf(tx, realmId), id);
    checkLinkifier({ pattern, urlTemplate }, others);
    if (linkifier.pattern === pattern && linkifier.urlTemplate === urlTemplate) return {};
    await storeLinkifier(tx, realmId, { id, pattern, urlTemplate });
    await announceLinkifiers(tx, realmId);
    return {};
  });
}
