import { BadRequestError, InsufficientPermissionError } from '@parley/shared/errors';
import type { DeactivateUserRequest, DeactivateUserResponse, User } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { codePointLength, isAdministrator } from '@parley/shared/values';
import type { Context } from '../context';
import { putDeactivationMail } from '../mails/deactivation-mail';
import { findNamedUser } from './access-user';
import { ownsOwnersBot } from './account-state.sql';
import { changeAccounts } from './change-accounts';
import { deactivateAccount } from './deactivate-account';
import { isLastOwner } from './last-owner';
import { requireMayDeactivate } from './permissions';

const MAX_COMMENT_LENGTH = 2_000;

/** Takes a person's account out of use. Bots are deactivated by a call of their own. */
export async function deactivateUser(
  ctx: Context,
  caller: Caller,
  { userId, notificationComment }: DeactivateUserRequest,
): Promise<DeactivateUserResponse> {
  const comment = commentFromInput(notificationComment);
  return changeAccounts(ctx, caller, async (tx, actor) => {
    const person = await findNamedUser(tx, actor, { id: userId });
    requireActivePerson(actor, person);
    requireMayDeactivate(actor, person, {
      isLastOwner: await isLastOwner(tx, person),
      ownsOwnersBot: await ownsOwnersBot(tx, person),
    });
    if (comment !== null) await putDeactivationMail(tx, person, { comment, nowMs: ctx.clock.now() });
    await deactivateAccount(ctx, tx, person.realmId, person.id);
    return {};
  });
}

/** Null: the user gets no mail about it. */
function commentFromInput(text: string | undefined): string | null {
  const comment = text?.trim() ?? null;
  if (comment !== null && codePointLength(comment) > MAX_COMMENT_LENGTH) {
    throw new BadRequestError(
      `deactivation_notification_comment is too long (limit: ${MAX_COMMENT_LENGTH} characters)`,
    );
  }
  return comment;
}

function requireActivePerson(actor: User, person: User): void {
  if (person.isBot) throw new BadRequestError('No such user');
  if (!isAdministrator(actor.role)) throw new InsufficientPermissionError();
  if (!person.isActive) throw new BadRequestError('User is deactivated');
}
