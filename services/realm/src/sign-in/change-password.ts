import type { Transaction } from '@parley/shared/db';
import { BadRequestError, PasswordAuthDisabledError } from '@parley/shared/errors';
import type { UpdateUserSettingsRequest, User } from '@parley/shared/proto';
import { REFUSAL } from '@parley/shared/texts/refusals';
import { checkPassword, hashPassword } from '../accounts/password';
import { maySignInByPassword } from '../accounts/permissions';
import { endSessions } from '../api-keys/api-keys';
import type { Context } from '../context';
import { loadRealmSettings } from '../organization/realms.sql';
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
  const settings = await loadRealmSettings(ctx.db, user.realmId);
  if (!maySignInByPassword(settings, user.role)) throw new PasswordAuthDisabledError();
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
    throw new BadRequestError(REFUSAL.people.tooManyAttempts(String(verdict.retryAfterSecs)));
  }
  if (formerHash === null || !verdict.isRight) throw wrongPassword();
  await checkPassword(newPassword, REFUSAL.people.newPasswordWeak);
  return { formerHash, passwordHash: await hashPassword(newPassword) };
}

/** Stores the new password, unless another one was stored meanwhile, and ends all sessions but the one that changes it. */
export async function changePassword(
  tx: Transaction,
  { realmId, id: userId }: User,
  change: PasswordChange,
  { usedKeyId: exceptId = 0, nowMs }: { usedKeyId: number | undefined; nowMs: number },
): Promise<void> {
  const isStored = await replacePasswordHash(tx, { realmId, userId }, change);
  if (!isStored) throw wrongPassword();
  await endSessions(tx, { realmId, userIds: [userId], exceptId }, nowMs);
}

function wrongPassword(): BadRequestError {
  return new BadRequestError(REFUSAL.people.wrongPassword);
}
