import { type AddressedMail, composeMail, type MailJob, mailMoment, outsideReader } from '@parley/shared/mail';
import { textLanguage } from '@parley/shared/texts';
import { MAIL_TEXTS } from '@parley/shared/texts/mails';
import { realmUrl } from '@parley/shared/values';
import type { Context } from '../context';
import { keyUrl, showKeys } from '../keys/invitation-keys';
import type { ConfirmationMail, InvitationMail } from '../mail-jobs/mail-jobs.sql';
import { findInvitationOfMail } from './invitation-of-mail.sql';

/** Composes an invitation's mail from its present state; null when it can no longer be accepted. */
export async function composeInvitationMail(ctx: Context, job: MailJob): Promise<AddressedMail | null> {
  const found = await findWithKey(ctx, job);
  if (!found) return null;
  const content = job.content as unknown as InvitationMail;
  const { language = 'en', subdomain } = content;
  const texts = MAIL_TEXTS[textLanguage(language)].invitations;
  const { expiresAtMs } = found;
  const end = expiresAtMs === null ? '' : texts.end(mailMoment(expiresAtMs, outsideReader(language)));
  const mail = composeMail({
    language,
    ...words(content, realmUrl(subdomain, ctx.config.EXTERNAL_HOST), job.template === 'invitation-reminder'),
    action: { label: texts.action, url: found.url },
    footer: `${end}${texts.footer}`,
  });
  return { ...mail, recipientName: '' };
}

/** The invitation, and the address that accepts it. */
async function findWithKey(ctx: Context, job: MailJob) {
  const { realmId } = job;
  const invitation = await findInvitationOfMail(ctx.db, job, ctx.clock.now());
  if (!invitation) return null;
  const { id, expiresAtMs } = invitation;
  const key = (await showKeys(ctx, { realmId, kind: 'invitation', ids: [id] })).get(id) as string;
  const subdomain = String(job.content['subdomain']);
  return { expiresAtMs, url: keyUrl('invitation', key, { subdomain, externalHost: ctx.config.EXTERNAL_HOST }) };
}

function words(content: InvitationMail, url: string, isReminder: boolean) {
  const { referrerName, referrerEmail, organizationName, language = 'en' } = content;
  const texts = MAIL_TEXTS[textLanguage(language)].invitations;
  const [subject, said] = isReminder ? [texts.reminderSubject, texts.reminder] : [texts.subject, texts.said];
  return {
    subject: subject(referrerName, organizationName),
    paragraphs: [said(referrerName, referrerEmail, organizationName, url)],
  };
}

/** Composes the mail that proves the address of a person with a reusable link; null when it can no longer be accepted. */
export async function composeConfirmationMail(ctx: Context, job: MailJob): Promise<AddressedMail | null> {
  const found = await findWithKey(ctx, job);
  if (!found) return null;
  const { organizationName, subdomain, language = 'en' } = job.content as unknown as ConfirmationMail;
  const texts = MAIL_TEXTS[textLanguage(language)].invitations.confirmation;
  const mail = composeMail({
    language,
    subject: texts.subject(organizationName),
    paragraphs: [texts.said(organizationName, realmUrl(subdomain, ctx.config.EXTERNAL_HOST))],
    action: { label: texts.action, url: found.url },
    footer: texts.footer,
  });
  return { ...mail, recipientName: '' };
}
