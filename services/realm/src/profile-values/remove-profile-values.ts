import { announce } from '@parley/shared/bus';
import type { RemoveProfileValuesRequest, RemoveProfileValuesResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { requirePerson } from '../guards';
import { changeOrganization } from '../realms/change-organization';
import { removeValues } from './change-profile';

/** Lets the caller's own profile say nothing in the fields, whether it did or not. */
export async function removeProfileValues(
  ctx: Context,
  caller: Caller,
  { fieldIds }: RemoveProfileValuesRequest,
): Promise<RemoveProfileValuesResponse> {
  return changeOrganization(ctx, caller, requirePerson, async (tx, actor) => {
    await announce(tx, ...(await removeValues(tx, actor, actor.id, fieldIds)));
    return {};
  });
}
