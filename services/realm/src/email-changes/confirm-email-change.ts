import { announce } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import { UserDeactivatedError } from '@parley/shared/errors';
import type { EmailChange, EmailChangeKey, User } from '@parley/shared/proto';
import type { Context } from '../context';
import { putEmailChangedMail } from '../mails/email-changed-mail';
import { lockRealm } from '../realms/lock-realm.sql';
import { loadRealmSettings } from '../realms/realm-settings.sql';
import { isUniqueViolation } from '../unique-violation';
import { changeEmail } from '../users/change-email';
import { emailInUse } from '../users/check-new-email';
import { EMAIL_IS_UNIQUE, findUser, lockUser } from '../users/users.sql';
import { markConfirmed } from './email-changes.sql';
import { getEmailChange, getOpenRealm, noSuchEmailChange } from './find-email-change';
import { requireMayChangeOwnEmail } from './new-email-from-input';

/** Gives an account the address that it asked for, to which the key was sent. Its former address is told. */
export async function confirmEmailChange(ctx: Context, { subdomain, key }: EmailChangeKey): Promise<EmailChange> {
  const { id: realmId, name: organizationName } = await getOpenRealm(ctx, subdomain);
  const nowMs = ctx.clock.now();
  try {
    const newEmail = await ctx.db.transaction((tx) => confirm(tx, { realmId, key, nowMs }));
    return { organizationName, newEmail };
  } catch (error) {
    throw EMAIL_IS_UNIQUE.some((index) => isUniqueViolation(error, index)) ? emailInUse() : error;
  }
}

/** Links are opened twice: then it has been done already. */
async function confirm(tx: Transaction, use: { realmId: number; key: string; nowMs: number }): Promise<string> {
  const { realmId, nowMs } = use;
  await lockRealm(tx, realmId);
  const { id, userId, oldEmail, newEmail } = await getEmailChange(tx, use);
  await lockUser(tx, realmId, userId);
  const user = (await findUser(tx, realmId, userId)) as User;
  if (!user.isActive) throw new UserDeactivatedError();
  requireMayChangeOwnEmail(user, await loadRealmSettings(tx, realmId));
  const isFirst = await markConfirmed(tx, realmId, id, nowMs);
  if (!isFirst && user.deliveryEmail === newEmail) return newEmail;
  if (!isFirst || user.deliveryEmail !== oldEmail) throw noSuchEmailChange();
  const events = await changeEmail(tx, user, newEmail);
  await putEmailChangedMail(tx, user, { newEmail, nowMs });
  await announce(tx, ...events);
  return newEmail;
}
