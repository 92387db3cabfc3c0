import { createHash, randomInt } from 'node:crypto';
import { announce } from '@parley/shared/bus';
import type { Sql, Transaction } from '@parley/shared/db';
import { BadRequestError, EmailInUseError, RateLimitHitError, UserDeactivatedError } from '@parley/shared/errors';
import { composeMail, type MailJob, putMail } from '@parley/shared/mail';
import { prismaTransaction } from '@parley/shared/prisma';
import type { EmailChange, EmailChangeKey, InviteAddress, Organization, User } from '@parley/shared/proto';
import { textLanguage } from '@parley/shared/texts';
import { MAIL_TEXTS } from '@parley/shared/texts/mails';
import { REFUSAL } from '@parley/shared/texts/refusals';
import { isAdministrator, type RealmSettings, realmSettingsOf } from '@parley/shared/values';
import { EMAIL_IS_UNIQUE, findUser, lockUser } from '../accounts/users.sql';
import type { MailComposer } from '../base/mail-composer';
import { isUniqueViolation } from '../base/unique-violation';
import type { Context, Tables } from '../context';
import { addressFacts } from '../invite-facts/invite-facts';
import { endBounce } from '../mail-recipients/bounces.sql';
import { findMailHolder } from '../mail-recipients/mail-holder';
import { getOpenRealm } from '../organization/change-organization';
import { loadRealmSettings, lockRealm } from '../organization/realms.sql';
import { listAllowedDomainsOf } from '../organization-lists/allowed-domains.sql';
import { changeEmail } from '../people/change-email';
import { deleteEmailChanges, type EmailChangeOfKey, findEmailChangeByKey } from './email-changes.sql';

const HOUR_MS = 3_600_000;

const DAY_MS = 24 * HOUR_MS;

/** Largest numbers of an account's requests in each period. */
const LIMITS = [
  { spanMs: HOUR_MS, count: 2 },
  { spanMs: DAY_MS, count: 5 },
];

/** Seconds to wait after requests at these times, oldest first; 0: none. */
export function secondsToWait(requestTimesMs: readonly number[], nowMs: number): number {
  const waits = LIMITS.map(({ spanMs, count }) => {
    const decisiveMs = requestTimesMs.at(-count);
    return decisiveMs === undefined ? 0 : Math.max(0, decisiveMs + spanMs - nowMs);
  });
  return Math.ceil(Math.max(...waits) / 1000);
}

/** Validity of the link in the mail. */
const VALID_MS = DAY_MS;

/** Sends a link to the new address, which proves that it is the user's. Called in a transaction that has locked the account. */
export async function requestEmailChange(
  { tx, prisma }: { tx: Transaction; prisma: Tables },
  { realmId, id: userId, deliveryEmail: oldEmail }: User,
  newEmail: string,
  nowMs: number,
): Promise<void> {
  const recent = await prisma.emailChange.findMany({
    where: { realmId, userId, createdAt: { gt: new Date(nowMs - DAY_MS) } },
    select: { createdAt: true },
    orderBy: { createdAt: 'asc' },
  });
  const waitSecs = secondsToWait(
    recent.map(({ createdAt }) => createdAt.getTime()),
    nowMs,
  );
  if (waitSecs > 0) throw new RateLimitHitError(waitSecs);
  await deleteEmailChanges(tx, nowMs - Math.max(DAY_MS, VALID_MS));
  const { id: emailChangeId } = await prisma.emailChange.create({
    data: { realmId, userId, oldEmail, newEmail, createdAt: new Date(nowMs) },
  });
  await putMail(tx, {
    realmId,
    template: 'email-confirmation',
    recipient: newEmail,
    content: { emailChangeId },
    nowMs,
  });
}

/** The change that a key confirms. */
export async function findEmailChange(ctx: Context, { subdomain, key }: EmailChangeKey): Promise<EmailChange> {
  const realm = await getOpenRealm(ctx, subdomain);
  return found(realm, await getEmailChange(ctx.db, { realmId: realm.id, key, nowMs: ctx.clock.now() }));
}

function found(realm: Organization, { newEmail, language }: Pick<EmailChangeOfKey, 'newEmail' | 'language'>) {
  return { organizationName: realm.name, newEmail, language: language ?? realmSettingsOf(realm).default_language };
}

interface KeyUse {
  realmId: number;
  key: string;
  nowMs: number;
}

/** The change of a key. Unknown and expired keys get the same answer. */
async function getEmailChange(sql: Sql, { realmId, key, nowMs }: KeyUse): Promise<EmailChangeOfKey> {
  const keyHash = hashConfirmationKey(key);
  const change = keyHash && (await findEmailChangeByKey(sql, realmId, keyHash));
  if (!change || change.createdAtMs + VALID_MS <= nowMs) throw noSuchEmailChange();
  return change;
}

function noSuchEmailChange(): BadRequestError {
  return new BadRequestError(REFUSAL.links.noAddressLink, {}, 404);
}

/** Changes an account's address to the requested one, confirmed by the key. A mail notifies the former address. */
export async function confirmEmailChange(ctx: Context, { subdomain, key }: EmailChangeKey): Promise<EmailChange> {
  const realm = await getOpenRealm(ctx, subdomain);
  const use = { realmId: realm.id, key, nowMs: ctx.clock.now() };
  try {
    return found(realm, await prismaTransaction(ctx.db, ctx.prisma, (tx, prisma) => confirm({ tx, prisma }, use)));
  } catch (error) {
    throw EMAIL_IS_UNIQUE.some((index) => isUniqueViolation(error, index)) ? new EmailInUseError() : error;
  }
}

/** The link was opened before: the change is done. */
async function confirm({ tx, prisma }: { tx: Transaction; prisma: Tables }, use: KeyUse): Promise<EmailChangeOfKey> {
  const { realmId, nowMs } = use;
  await lockRealm(tx, realmId);
  const change = await getEmailChange(tx, use);
  const { id, userId, oldEmail, newEmail } = change;
  await lockUser(tx, realmId, userId);
  const user = (await findUser(tx, realmId, userId)) as User;
  if (!user.isActive) throw new UserDeactivatedError();
  requireMayChangeOwnEmail(user, await loadRealmSettings(tx, realmId));
  const { count } = await prisma.emailChange.updateMany({
    where: { realmId, id, confirmedAt: null },
    data: { confirmedAt: new Date(nowMs) },
  });
  const isFirst = count > 0;
  if (!isFirst && user.deliveryEmail === newEmail) return change;
  if (!isFirst || user.deliveryEmail !== oldEmail) throw noSuchEmailChange();
  const events = await changeEmail(tx, user, newEmail);
  // Confirmed by a mail: the address takes them.
  await endBounce(tx, realmId, userId);
  await putEmailChangedMail(tx, user, { newEmail, nowMs });
  await announce(tx, ...events);
  return change;
}

/** The requested address of the caller's account; null: unchanged. */
export async function newEmailFromInput(sql: Sql, own: User, text: string): Promise<string | null> {
  const email = text.trim();
  if (email === own.deliveryEmail) return null;
  const settings = await loadRealmSettings(sql, own.realmId);
  requireMayChangeOwnEmail(own, settings);
  const domains = await listAllowedDomainsOf(sql, own.realmId);
  const [facts] = (await addressFacts(sql, own.realmId, { settings, domains }, [email])) as [InviteAddress];
  // A different casing is not taken by another account.
  const isOwn = email.toLowerCase() === own.deliveryEmail.toLowerCase();
  const objection = REFUSAL.objections[facts.objection] ?? (isOwn ? undefined : REFUSAL.holders[facts.holder]);
  if (objection !== undefined) throw new BadRequestError(objection);
  return email;
}

function requireMayChangeOwnEmail(
  { role }: Pick<User, 'role'>,
  settings: Pick<RealmSettings, 'email_changes_disabled'>,
): void {
  if (settings.email_changes_disabled && !isAdministrator(role)) {
    throw new BadRequestError(REFUSAL.accounts.emailChangesDisabled);
  }
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz234567';
const LENGTH = 24;
const PATTERN = /^[a-z2-7]{24}$/;

/** A random key: 24 characters of base32. */
function makeConfirmationKey(): string {
  return Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('');
}

/** The stored form of a key; null for texts in another format. */
export function hashConfirmationKey(key: string): Buffer<ArrayBuffer> | null {
  return PATTERN.test(key) ? createHash('sha256').update(key).digest() : null;
}

/** Creates the key when the mail is sent, a new one on every retry, so that it is never stored. */
export const composeEmailConfirmationMail: MailComposer = async (ctx, { realmId, content }: MailJob, organization) => {
  const id = Number(content['emailChangeId']);
  const change = await ctx.prisma.emailChange.findUnique({ where: { realmId_id: { realmId, id } } });
  const isOpen = change && change.confirmedAt === null && change.createdAt.getTime() + VALID_MS > ctx.clock.now();
  const account = { realmId, userId: change?.userId ?? 0 };
  const holder = isOpen ? await findMailHolder(ctx, organization, account) : null;
  if (!change || !holder) return null;
  const { name, url } = organization;
  const texts = holder.texts.emailConfirmation;
  const key = await issueKey(ctx, realmId, change.id);
  const mail = composeMail({
    language: holder.reader.language,
    subject: texts.subject(name),
    paragraphs: [texts.said(name, url, change.oldEmail, change.newEmail), texts.validity],
    action: { label: texts.action, url: `${url}/accounts/confirm_new_email/${key}` },
    footer: texts.footer,
  });
  return { ...mail, recipientName: holder.user.fullName };
};

async function issueKey(ctx: Context, realmId: number, emailChangeId: number): Promise<string> {
  const key = makeConfirmationKey();
  const keyHash = hashConfirmationKey(key) as Buffer<ArrayBuffer>;
  await ctx.prisma.emailChangeKey.create({ data: { realmId, keyHash, emailChangeId } });
  return key;
}

/** Queues a mail to the former address about the change; `user` as before it. */
async function putEmailChangedMail(
  tx: Transaction,
  { realmId, id: userId, deliveryEmail: recipient, fullName }: User,
  { newEmail, nowMs }: { newEmail: string; nowMs: number },
): Promise<void> {
  const content = { userId, fullName, newEmail };
  await putMail(tx, { realmId, template: 'email-changed', recipient, content, nowMs });
}

interface Content {
  /** Absent in mails of the former version. */
  userId?: number;
  fullName: string;
  newEmail: string;
}

export const composeEmailChangedMail: MailComposer = async (ctx, { realmId, content }: MailJob, organization) => {
  const { userId = 0, fullName, newEmail } = content as unknown as Content;
  const holder = await findMailHolder(ctx, organization, { realmId, userId });
  const language = holder?.reader.language ?? organization.language;
  const texts = MAIL_TEXTS[textLanguage(language)].accounts.emailChanged;
  const { name, url } = organization;
  const mail = composeMail({
    language,
    subject: texts.subject(name),
    paragraphs: [texts.said(name, url, newEmail), texts.warning],
    footer: texts.footer,
  });
  return { ...mail, recipientName: fullName };
};
