import { announce } from '@parley/shared/bus';
import { BadRequestError, EmailInUseError } from '@parley/shared/errors';
import type { AddUserRequest, AddUserResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { REFUSAL } from '@parley/shared/texts/refusals';
import { ROLES } from '@parley/shared/values';
import { findOperatorRights } from '../accounts/account-state.sql';
import { emailFromInput } from '../accounts/email-address';
import { getOwnUser } from '../accounts/get-own-user';
import { checkPassword, hashPassword } from '../accounts/password';
import { requireMayCreateUsers } from '../accounts/permissions';
import { EMAIL_IS_UNIQUE } from '../accounts/users.sql';
import { isUniqueViolation } from '../base/unique-violation';
import type { Context } from '../context';
import { newcomerEvents } from '../notices/join-notices';
import { changeAccounts } from '../people/change-accounts';
import { checkNewEmail } from '../people/change-email';
import { checkNameIsFree, fullNameFromInput } from '../people/full-name';
import { openAccount } from './open-account';

/** Creates the active account of a person, with the role of member. */
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
    throw EMAIL_IS_UNIQUE.some((index) => isUniqueViolation(error, index)) ? new EmailInUseError() : error;
  }
}

async function personFromInput(ctx: Context, realmId: number, request: AddUserRequest) {
  const fullName = fullNameFromInput(request.fullName);
  await checkNameIsFree(ctx.db, realmId, fullName, null);
  const email = newEmailFromInput(request.email);
  await checkNewEmail(ctx.db, realmId, email);
  await checkPassword(request.password);
  return { fullName, email, passwordHash: await hashPassword(request.password) };
}

function newEmailFromInput(text: string): string {
  try {
    return emailFromInput(text);
  } catch {
    throw new BadRequestError(REFUSAL.bots.badName);
  }
}
