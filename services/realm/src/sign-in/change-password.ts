import type { Transaction } from '@parley/shared/db';
import { BadRequestError } from '@parley/shared/errors';
import type { UpdateUserSettingsRequest, User } from '@parley/shared/proto';
import { checkPassword, hashPassword } from '../accounts/password';
import type { Context } from '../context';
import { findPasswordHash, replacePasswordHash } from './sign-in.sql';
import { tryPassword } from './try-password';

export interface PasswordChange {
  formerHash: string;
  passwordHash: string;
}

/** The requested change of password, with the old one verified; null: none. */
export async function passwordChangeFromInput(
  ctx: Context,
  user: User,
  { oldPassword, newPassword }: Pick<UpdateUserSettingsRequest, 'oldPassword' | 'newPassword'>,
): Promise<PasswordChange | null> {
  if (!newPassword) return null;
  const formerHash = await findPasswordHash(ctx.db, user.realmId, user.id);
  const verdict = await tryPassword(ctx, {
    realmId: user.realmId,
    loginName: user.deliveryEmail,
    address: '',
    userId: user.id,
    isSignedIn: true,
    password: oldPassword ?? '',
    passwordHash: formerHash,
  });
  if ('retryAfterSecs' in verdict) {
    throw new BadRequestError(`You're making too many attempts! Try again in ${verdict.retryAfterSecs} seconds.`);
  }
  if (formerHash === null || !verdict.isRight) throw wrongPassword();
  await checkPassword(newPassword, 'New password is too weak!');
  return { formerHash, passwordHash: await hashPassword(newPassword) };
}

/** Stores the new password, unless another one was stored meanwhile. */
export async function changePassword(tx: Transaction, user: User, change: PasswordChange): Promise<void> {
  const isStored = await replacePasswordHash(tx, { realmId: user.realmId, userId: user.id }, change);
  if (!isStored) throw wrongPassword();
}

function wrongPassword(): BadRequestError {
  return new BadRequestError('Wrong password!');
}
