import { announce } from '@parley/shared/bus';
import type { SetProfileValuesRequest, SetProfileValuesResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { requirePerson } from '../guards';
import { changeOrganization } from '../realms/change-organization';
import { setValues } from './change-profile';

/** Lets the caller's own profile say the values, all of them or none. */
export async function setProfileValues(
  ctx: Context,
  caller: Caller,
  { values }: SetProfileValuesRequest,
): Promise<SetProfileValuesResponse> {
  return changeOrganization(ctx, caller, requirePerson, async (tx, actor) => {
    await announce(tx, ...(await setValues(ctx, tx, actor, actor.id, values)));
    return {};
  });
}
