import { BadRequestError } from '@parley/shared/errors';
import type { AddLinkifierRequest, AddLinkifierResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { requireAdministrator } from '../guards';
import { changeOrganization } from '../realms/change-organization';
import { announceLinkifiers } from './announce-linkifiers';
import { checkLinkifier } from './linkifier-input';
import { insertLinkifier, listLinkifiersOf } from './linkifiers.sql';

/** They travel with the facts of every send, and every message is searched for all of them. */
const MAX_LINKIFIERS = 200;

/** Adds a linkifier, to be applied after all others. */
export async function addLinkifier(
  ctx: Context,
  caller: Caller,
  { pattern, urlTemplate }: AddLinkifierRequest,
): Promise<AddLinkifierResponse> {
  return changeOrganization(ctx, caller, requireAdministrator, async (tx, { realmId }) => {
    const others = await listLinkifiersOf(tx, realmId);
    checkLinkifier({ pattern, urlTemplate }, others);
    if (others.length >= MAX_LINKIFIERS) throw new BadRequestError(`Too many linkifiers (limit: ${MAX_LINKIFIERS})`);
    const id = await insertLinkifier(tx, realmId, { pattern, urlTemplate });
    await announceLinkifiers(tx, realmId);
    return { id };
  });
}
