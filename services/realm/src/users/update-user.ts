import { announce } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import { BadRequestError, EmailInUseError } from '@parley/shared/errors';
import type { DomainEvent } from '@parley/shared/events';
import type {
  PermitUserRequest,
  PermitUserResponse,
  UpdateUserRequest,
  UpdateUserResponse,
  User,
  UserRef,
} from '@parley/shared/proto';
import { type Caller, OPERATOR_ADDRESS } from '@parley/shared/rpc';
import { ROLE_VALUES } from '@parley/shared/values';
import { findOperatorRights, storeOperatorRights } from '../accounts/account-state.sql';
import { OF_OTHERS, refuseWhatDirectoryDecides } from '../accounts/directory-accounts';
import { requireMayChangeEmails, requireMayChangeRole } from '../accounts/permissions';
import { EMAIL_IS_UNIQUE, findUsersByAddresses, lockUser } from '../accounts/users.sql';
import { possibleTexts } from '../base/possible-values';
import { isUniqueViolation } from '../base/unique-violation';
import type { Context } from '../context';
import { getRealm } from '../organization/change-organization';
import { changeAccounts } from '../people/change-accounts';
import { changeEmail } from '../people/change-email';
import { accessAdministered } from '../people/find-user';
import { changeFullName, checkNameIsFree, fullNameFromInput } from '../people/full-name';
import { removeValues, setValues } from '../profiles/profile-values';
import { changeRole } from './change-role';
import { isLastOwner } from './deactivate-user';

/** Changes another user's account, or a bot's: all that the request names, or nothing. */
export async function updateUser(
  ctx: Context,
  caller: Caller,
  request: UpdateUserRequest,
): Promise<UpdateUserResponse> {
  try {
    await changeAccounts(ctx, caller, async (tx, actor) => {
      const isOperator = caller.clientAddress === OPERATOR_ADDRESS;
      const user = await accessAdministered(tx, actor, request.user as UserRef);
      await lockUser(tx, user.realmId, user.id);
      const [name = '', email = user.deliveryEmail] = [request.fullName, request.newEmail];
      const decided = { name: !['', user.fullName].includes(name.trim()), email: email !== user.deliveryEmail };
      await refuseWhatDirectoryDecides(tx, user, decided, OF_OTHERS);
      const role = await roleFromInput(tx, actor, user, request.role);
      const fullName = await nameFromInput(tx, user, request.fullName);
      if (role !== null) await changeRole(tx, user, role, ctx.clock.now());
      // A new address is announced with the picture, whose initials are those of the new name.
      const renamed = { ...user, fullName: fullName ?? user.fullName };
      await announce(
        tx,
        ...(await changeFullName(tx, user, renamed.fullName)),
        ...(await changeProfile(ctx, tx, actor, user, request)),
        ...(await changeEmailAs(tx, { ...actor, isOperator }, renamed, request.newEmail)),
      );
    });
    return {};
  } catch (error) {
    throw EMAIL_IS_UNIQUE.some((index) => isUniqueViolation(error, index)) ? new EmailInUseError() : error;
  }
}

/** Null: unchanged. */
async function roleFromInput(
  tx: Transaction,
  actor: User,
  user: User,
  role: number | undefined,
): Promise<number | null> {
  if (role === undefined || role === user.role) return null;
  if (!(ROLE_VALUES as readonly number[]).includes(role)) throw new BadRequestError('Invalid role');
  requireMayChangeRole(actor, user, role, await isLastOwner(tx, user));
  return role;
}

/** Null: unchanged. */
async function nameFromInput(tx: Transaction, user: User, text = ''): Promise<string | null> {
  if (text.trim() === '' || text === user.fullName) return null;
  const fullName = fullNameFromInput(text);
  await checkNameIsFree(tx, user.realmId, fullName, user.id);
  return fullName;
}

async function changeProfile(
  ctx: Context,
  tx: Transaction,
  actor: User,
  user: User,
  { profileValues }: UpdateUserRequest,
): Promise<DomainEvent[]> {
  if (profileValues.length === 0) return [];
  if (user.isBot) throw new BadRequestError('Bots have no profile');
  const isEmpty = ({ text = '', userIds }: (typeof profileValues)[0]) => text === '' && !userIds?.ids.length;
  const removedIds = profileValues.filter(isEmpty).map(({ fieldId }) => fieldId);
  const values = profileValues.filter((value) => !isEmpty(value));
  return [
    ...(values.length === 0 ? [] : await setValues(ctx, tx, actor, user.id, values)),
    ...(removedIds.length === 0 ? [] : await removeValues(tx, actor, user.id, removedIds)),
  ];
}

// SPEC-GAP: `email_changes_disabled` concerns users' own addresses. A change by an owner with the operator's permission is administration
// and stays possible.
async function changeEmailAs(
  tx: Transaction,
  actor: User & { isOperator: boolean },
  user: User,
  newEmail: string | undefined,
): Promise<DomainEvent[]> {
  if (newEmail === undefined) return [];
  const { mayChangeEmails } = await findOperatorRights(tx, actor.realmId, actor.id);
  requireMayChangeEmails(actor, mayChangeEmails || actor.isOperator);
  return changeEmail(tx, user, newEmail);
}

/** Grants or revokes rights of an account that only the operator controls. For the operator's command. */
export async function permitUser(ctx: Context, request: PermitUserRequest): Promise<PermitUserResponse> {
  const { id: realmId } = await getRealm(ctx, { subdomain: request.subdomain });
  const [user] = await findUsersByAddresses(ctx.db, realmId, possibleTexts([request.email.trim()]));
  if (!user) throw new BadRequestError('No such user');
  const rights = { mayCreateUsers: request.mayCreateUsers ?? null, mayChangeEmails: request.mayChangeEmails ?? null };
  await ctx.db.transaction((tx) => storeOperatorRights(tx, realmId, user.id, rights));
  return { userId: user.id };
}
