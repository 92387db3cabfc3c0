import { createHash } from 'node:crypto';
import type { Sql, Transaction } from '@parley/shared/db';
import { BadRequestError, PasswordAuthDisabledError, UserDeactivatedError } from '@parley/shared/errors';
import { composeMail, type MailJob, putMail } from '@parley/shared/mail';
import type {
  Organization,
  PasswordReset,
  PasswordResetKey,
  RequestPasswordResetRequest,
  RequestPasswordResetResponse,
  SetForgottenPasswordRequest,
  User,
} from '@parley/shared/proto';
import { REFUSAL } from '@parley/shared/texts/refusals';
import { ROLES, realmSettingsOf } from '@parley/shared/values';
import { isOfDirectory } from '../accounts/directory-accounts.sql';
import { checkPassword, hashPassword } from '../accounts/password';
import { isKeyOf, keyOf, parseKey } from '../accounts/password-keys';
import { maySignInByPassword } from '../accounts/permissions';
import { findUser, lockUser } from '../accounts/users.sql';
import { endSessions } from '../api-keys/api-keys';
import type { MailComposer } from '../base/mail-composer';
import { possibleTexts } from '../base/possible-values';
import type { Context } from '../context';
import { endBounce } from '../mail-recipients/bounces.sql';
import { timeReaderOf } from '../mail-recipients/list-mail-recipients';
import { findMailHolder } from '../mail-recipients/mail-holder';
import { getOpenRealm } from '../organization/change-organization';
import { findChosenSettings } from '../user-settings/user-settings.sql';
import { countAttempt, findAccountByLoginName, findPasswordHash, setPasswordHash } from './sign-in.sql';

const HOUR_MS = 3_600_000;
/** Validity of the link in the mail. */
const VALID_MS = 24 * HOUR_MS;
const MAILS_PER_HOUR = 3;

/**
 * Mails a link by which the account's holder sets a new password. The answer is the same whether or not there is such an account;
 * a few mails an hour are sent to each address.
 */
export async function requestPasswordReset(
  ctx: Context,
  { subdomain, email }: RequestPasswordResetRequest,
): Promise<RequestPasswordResetResponse> {
  const realm = await getOpenRealm(ctx, subdomain);
  const settings = realmSettingsOf(realm);
  if (!maySignInByPassword(settings, ROLES.owner)) throw new PasswordAuthDisabledError();
  const [loginName] = possibleTexts([email.trim()]);
  const account = loginName === undefined ? null : await findAccountByLoginName(ctx.db, realm.id, loginName);
  const user = account && (await findUser(ctx.db, realm.id, account.userId));
  if (!user?.isActive || user.isBot || !maySignInByPassword(settings, user.role)) return {};
  // Its password is the directory's.
  if (await isOfDirectory(ctx.db, user.realmId, user.id)) return {};
  const { realmId, id: userId, deliveryEmail: recipient } = user;
  const nowMs = ctx.clock.now();
  await ctx.db.transaction(async (tx) => {
    if (!(await isFewMails(tx, realmId, userId, nowMs))) return;
    await putMail(tx, { realmId, template: 'password-reset', recipient, content: { userId }, nowMs });
  });
  return {};
}

/** Counts a mail like a failed sign-in, under a name that no address has. */
async function isFewMails(tx: Transaction, realmId: number, userId: number, nowMs: number): Promise<boolean> {
  const hash = createHash('sha256').update(`  password-reset ${userId}`).digest();
  const name = { hash, max: MAILS_PER_HOUR };
  return (await countAttempt(tx, { realmId, name, address: null, nowMs, windowMs: HOUR_MS })).length === 0;
}

/** Whose password a link sets. Throws for unknown, used and expired links alike. */
export async function findPasswordReset(ctx: Context, { subdomain, key }: PasswordResetKey): Promise<PasswordReset> {
  const realm = await getOpenRealm(ctx, subdomain);
  return resetOf(ctx.db, realm, await userOfKey(ctx, ctx.db, realm, key));
}

async function resetOf(
  sql: Sql,
  realm: Organization,
  { id: userId, deliveryEmail: email }: User,
): Promise<PasswordReset> {
  const chosen = await findChosenSettings(sql, realm.id, userId);
  const { language } = timeReaderOf({ chosen, timezone: '' }, realmSettingsOf(realm));
  return { organizationName: realm.name, email, language };
}

/** Sets a new password by a link, which is used up then, and ends all sessions. */
export async function setForgottenPassword(
  ctx: Context,
  { subdomain, key, newPassword }: SetForgottenPasswordRequest,
): Promise<PasswordReset> {
  const realm = await getOpenRealm(ctx, subdomain);
  const realmId = realm.id;
  await userOfKey(ctx, ctx.db, realm, key);
  await checkPassword(newPassword);
  const passwordHash = await hashPassword(newPassword);
  return ctx.db.transaction(async (tx) => {
    await lockUser(tx, realmId, parseKey(key)?.userId as number);
    const user = await userOfKey(ctx, tx, realm, key);
    const userId = user.id;
    await setPasswordHash(tx, { realmId, userId }, passwordHash);
    await endSessions(tx, { realmId, userIds: [userId] }, ctx.clock.now());
    // The link was mailed: the address takes mails.
    await endBounce(tx, realmId, userId);
    return resetOf(tx, realm, user);
  });
}

async function userOfKey({ config, clock }: Context, sql: Sql, realm: Organization, key: string): Promise<User> {
  const realmId = realm.id;
  const parsed = parseKey(key);
  const user = parsed && (await findUser(sql, realmId, parsed.userId));
  if (!parsed || !user || parsed.expiresAtMs <= clock.now()) throw noSuchLink();
  const passwordHash = await findPasswordHash(sql, realmId, user.id);
  if (!isKeyOf(config.BOT_KEY_SECRET, user, passwordHash, parsed)) throw noSuchLink();
  if (!user.isActive) throw new UserDeactivatedError();
  if (!maySignInByPassword(realmSettingsOf(realm), user.role)) throw new PasswordAuthDisabledError();
  return user;
}

function noSuchLink(): BadRequestError {
  return new BadRequestError(REFUSAL.links.noPasswordLink, {}, 404);
}

/** The address of the page where a user sets a password, valid for a time from now on. Created when its mail is sent. */
export async function passwordLink({ db, clock, config }: Context, user: User, url: string, validMs: number) {
  const passwordHash = await findPasswordHash(db, user.realmId, user.id);
  const key = keyOf(config.BOT_KEY_SECRET, { user, passwordHash, expiresAtMs: clock.now() + validMs });
  return `${url}/accounts/password/reset/${key}`;
}

/** Also to an address that refuses other mails: it may take them again. */
export const composePasswordResetMail: MailComposer = async (ctx, { realmId, content }: MailJob, organization) => {
  const holder = await findMailHolder(ctx, organization, { realmId, userId: Number(content['userId']) });
  if (!holder) return null;
  const { user, reader } = holder;
  const { name, url } = organization;
  const texts = holder.texts.passwordReset;
  const mail = composeMail({
    language: reader.language,
    subject: texts.subject(name),
    paragraphs: [texts.said(name, url, user.deliveryEmail), texts.validity],
    action: { label: texts.action, url: await passwordLink(ctx, user, url, VALID_MS) },
    footer: texts.footer,
  });
  return { ...mail, recipientName: user.fullName };
};
