import { RealmDeactivatedError } from '@parley/shared/errors';
import { type AddressedMail, composeMail, type MailJob, mailMoment, outsideReader } from '@parley/shared/mail';
import type { AcceptanceFacts } from '@parley/shared/proto';
import { newCall } from '@parley/shared/rpc';
import { textLanguage } from '@parley/shared/texts';
import { MAIL_TEXTS } from '@parley/shared/texts/mails';
import { realmUrl } from '@parley/shared/values';
import type { Context } from '../context';
import { sortAddresses } from '../invitations/addresses';
import { keyUrl, showKeys } from '../keys/invitation-keys';
import type { InvitationMail } from '../mail-jobs/mail-jobs.sql';
import { findInvitationOfMail } from './invitation-of-mail.sql';

/** Composes an invitation's mail from its present state; null when it can no longer be accepted. */
export async function composeInvitationMail(ctx: Context, job: MailJob): Promise<AddressedMail | null> {
  const found = await findWithKey(ctx, job);
  if (!found) return null;
  const { organization, origin, expiresAtMs } = found;
  const { language } = organization;
  const texts = MAIL_TEXTS[textLanguage(language)].invitations;
  const end = expiresAtMs === null ? '' : texts.end(mailMoment(expiresAtMs, outsideReader(language)));
  const mail = composeMail({
    language,
    ...words(job, organization, origin),
    action: { label: texts.action, url: found.url },
    footer: `${end}${texts.footer}`,
  });
  return { ...mail, recipientName: '' };
}

/** The invitation with its organization as it is now, and the address that accepts it. */
async function findWithKey(ctx: Context, job: MailJob) {
  const { realmId } = job;
  const invitation = await findInvitationOfMail(ctx.db, job, ctx.clock.now());
  const organization = invitation && (await findOrganization(ctx, job));
  if (!invitation || !organization) return null;
  const { id, expiresAtMs } = invitation;
  const { subdomain } = organization;
  const externalHost = ctx.config.EXTERNAL_HOST;
  const key = (await showKeys(ctx, { realmId, kind: 'invitation', ids: [id] })).get(id) as string;
  const url = keyUrl('invitation', key, { subdomain, externalHost });
  return { organization, origin: realmUrl(subdomain, externalHost), expiresAtMs, url };
}

/**
 * Its name and subdomain may have changed since the mail was queued; null: it was closed, or the recipient has an account by now, or could
 * have none.
 */
async function findOrganization(
  { services }: Context,
  { realmId, recipient }: MailJob,
): Promise<AcceptanceFacts | null> {
  try {
    const facts = await services.realm.getAcceptanceFacts(newCall(), { realmId, emails: [recipient] });
    return sortAddresses([recipient], facts.addresses).free.length > 0 ? facts : null;
  } catch (error) {
    if (error instanceof RealmDeactivatedError) return null;
    throw error;
  }
}

function words({ template, content }: MailJob, { organizationName, language }: AcceptanceFacts, origin: string) {
  const { referrerName, referrerEmail } = content as unknown as InvitationMail;
  const texts = MAIL_TEXTS[textLanguage(language)].invitations;
  const isReminder = template === 'invitation-reminder';
  const [subject, said] = isReminder ? [texts.reminderSubject, texts.reminder] : [texts.subject, texts.said];
  return {
    subject: subject(referrerName, organizationName),
    paragraphs: [said(referrerName, referrerEmail, organizationName, origin)],
  };
}

/** Composes the mail that proves the address of a person with a reusable link; null when it can no longer be accepted. */
export async function composeConfirmationMail(ctx: Context, job: MailJob): Promise<AddressedMail | null> {
  const found = await findWithKey(ctx, job);
  if (!found) return null;
  const { organizationName, language } = found.organization;
  const texts = MAIL_TEXTS[textLanguage(language)].invitations.confirmation;
  const mail = composeMail({
    language,
    subject: texts.subject(organizationName),
    paragraphs: [texts.said(organizationName, found.origin)],
    action: { label: texts.action, url: found.url },
    footer: texts.footer,
  });
  return { ...mail, recipientName: '' };
}
