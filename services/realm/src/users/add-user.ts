import { announce } from '@parley/shared/bus';
import { BadRequestError } from '@parley/shared/errors';
import type { AddUserRequest, AddUserResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { ROLES } from '@parley/shared/values';
import { isUniqueViolation } from '../base/unique-violation';
import type { Context } from '../context';
import { newcomerEvents } from '../invited-accounts/join-notices';
import { findOperatorRights } from './account-state.sql';
import { changeAccounts } from './change-accounts';
import { checkNewEmail, emailInUse } from './change-email';
import { emailFromInput } from './email-address';
import { checkNameIsFree, fullNameFromInput } from './full-name';
import { getOwnUser } from './get-own-user';
import { openAccount } from './open-account';
import { checkPassword, hashPassword } from './password';
import { requireMayCreateUsers } from './permissions';
import { EMAIL_IS_UNIQUE } from './users.sql';

/** Makes a person's account, a member's, which can be used at once. */
export async function addUser(ctx: Context, caller: Caller, request: AddUserRequest): Promise<AddUserResponse> {
  const actor = await getOwnUser(ctx, caller);
  const { realmId } = actor;
  const { mayCreateUsers } = await findOperatorRights(ctx.db, realmId, actor.id);
  requireMayCreateUsers(actor, mayCreateUsers);
  const person = await personFromInput(ctx, realmId, request);
  try {
    return await changeAccounts(ctx, caller, async (tx) => {
      const wanted = { ...person, realmId, role: ROLES.member, bot: null, createdAtMs: ctx.clock.now() };
      const { user, events } = await openAccount(tx, wanted);
      await announce(tx, ...events, ...(await newcomerEvents(tx, realmId, user)));
      return { userId: user.id };
    });
  } catch (error) {
    throw EMAIL_IS_UNIQUE.some((index) => isUniqueViolation(error, index)) ? emailInUse() : error;
  }
}

async function personFromInput(ctx: Context, realmId: number, request: AddUserRequest) {
  const fullName = fullNameFromInput(request.fullName);
  await checkNameIsFree(ctx.db, realmId, fullName, null);
  const email = newEmailFromInput(request.email);
  await checkNewEmail(ctx.db, realmId, email);
  checkPassword(request.password);
  return { fullName, email, passwordHash: await hashPassword(request.password) };
}

function newEmailFromInput(text: string): string {
  try {
    return emailFromInput(text);
  } catch {
    throw new BadRequestError('Bad name or username');
  }
}
