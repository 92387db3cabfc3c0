import { CannotDeactivateLastUserError } from '@parley/shared/errors';
import type { DeactivateUserResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { ROLES } from '@parley/shared/values';
import type { Context } from '../context';
import { countPeople } from './account-state.sql';
import { changeAccounts } from './change-accounts';
import { deactivateAccount } from './deactivate-account';

/** Takes the caller's own account out of use, a person's or a bot's. Somebody has to stay, and an owner has to. */
export async function deactivateOwnUser(ctx: Context, caller: Caller): Promise<DeactivateUserResponse> {
  return changeAccounts(ctx, caller, async (tx, { id, realmId, role, isBot }) => {
    if (!isBot) {
      const people = await countPeople(tx, realmId);
      if (people.all === 1) throw new CannotDeactivateLastUserError('user');
      if (role === ROLES.owner && people.owners === 1) throw new CannotDeactivateLastUserError('organization owner');
    }
    await deactivateAccount(ctx, tx, realmId, id);
    return {};
  });
}
