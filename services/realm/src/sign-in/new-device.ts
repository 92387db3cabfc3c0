import { createHash } from 'node:crypto';
import type { Transaction } from '@parley/shared/db';
import { composeMail, type MailJob, mailMoment, putMail } from '@parley/shared/mail';
import { maySignInByPassword } from '../accounts/permissions';
import type { MailComposer } from '../base/mail-composer';
import type { Context } from '../context';
import { findMailHolder, findUnsubscribeUrl, type MailHolder } from '../mail-recipients/mail-holder';
import { loadRealmSettings } from '../organization/realms.sql';
import { rememberDevice } from './devices.sql';
import { findPasswordHash, type SignInAccount } from './sign-in.sql';

/** Where a sign-in comes from. */
export interface SignInOrigin {
  /** What a browser is known by; absent: programs are known by their name and address. */
  device?: string | undefined;
  /** The browser or program, as its user knows it. */
  label: string;
  /** Empty: unknown. */
  clientAddress: string;
}

/** Queues a mail about a sign-in from a device that the account has not used before, in the sign-in's transaction. Its first sign-in is told to nobody. */
export async function noteDevice(
  tx: Transaction,
  { realmId, userId, deliveryEmail: recipient }: Pick<SignInAccount, 'realmId' | 'userId' | 'deliveryEmail'>,
  { device, label, clientAddress }: SignInOrigin,
  nowMs: number,
): Promise<void> {
  const known = device === undefined ? ['program', label, clientAddress] : ['browser', device];
  const deviceHash = createHash('sha256').update(JSON.stringify(known)).digest();
  if (!(await rememberDevice(tx, { realmId, userId, deviceHash }, nowMs))) return;
  const content = { userId, label, clientAddress, atMs: nowMs } satisfies Content;
  await putMail(tx, { realmId, template: 'sign-in', recipient, content, nowMs });
}

type Content = { userId: number; label: string; clientAddress: string; atMs: number };

export const composeSignInMail: MailComposer = async (ctx, { realmId, content }: MailJob, organization) => {
  const { userId, label, clientAddress, atMs } = content as Content;
  const holder = await findMailHolder(ctx, organization, { realmId, userId });
  const unsubscribeUrl = holder && (await findUnsubscribeUrl(ctx, holder.user, 'sign_in'));
  if (!holder || !unsubscribeUrl) return null;
  const { user, reader } = holder;
  const texts = holder.texts.signIn;
  const { name, url } = organization;
  const facts = [
    texts.time(mailMoment(atMs, reader)),
    texts.device(label || texts.unknown),
    texts.address(clientAddress || texts.unknown),
  ];
  const { advice, action } = await adviceFor(ctx, holder, url);
  const mail = composeMail({
    language: reader.language,
    subject: texts.subject(name),
    paragraphs: [texts.said(name, url, user.deliveryEmail), ...facts, advice],
    action,
    footer: texts.footer(name),
    unsubscribeUrl,
  });
  return { ...mail, recipientName: user.fullName };
};

/** A new password helps only people who sign in with one. */
async function adviceFor({ db }: Context, { user, texts: { signIn: texts } }: MailHolder, url: string) {
  const hasPassword = (await findPasswordHash(db, user.realmId, user.id)) !== null;
  const settings = await loadRealmSettings(db, user.realmId);
  return hasPassword && maySignInByPassword(settings, user.role)
    ? { advice: texts.advice, action: { label: texts.action, url: `${url}/accounts/password/reset` } }
    : { advice: texts.adviceWithoutPassword, action: { label: texts.review, url: `${url}/#settings/keys` } };
}
