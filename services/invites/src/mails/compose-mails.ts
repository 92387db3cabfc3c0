import { type AddressedMail, composeMail, type MailJob } from '@parley/shared/mail';
import { realmUrl } from '@parley/shared/values';
import type { Context } from '../context';
import { keyUrl, showKeys } from '../keys/invitation-keys';
import type { ConfirmationMail, InvitationMail } from '../mail-jobs/mail-jobs.sql';
import { findInvitationOfMail } from './invitation-of-mail.sql';

/** Composes an invitation's mail from its present state; null when it can no longer be accepted. */
export async function composeInvitationMail(ctx: Context, job: MailJob): Promise<AddressedMail | null> {
  const { realmId } = job;
  const invitation = await findInvitationOfMail(ctx.db, job, ctx.clock.now());
  if (!invitation) return null;
  const { id, expiresAtMs } = invitation;
  const key = (await showKeys(ctx, { realmId, kind: 'invitation', ids: [id] })).get(id) as string;
  const content = job.content as unknown as InvitationMail;
  const { subdomain } = content;
  const externalHost = ctx.config.EXTERNAL_HOST;
  const mail = composeMail({
    ...words(content, realmUrl(subdomain, externalHost), job.template === 'invitation-reminder'),
    action: { label: 'Accept the invitation', url: keyUrl('invitation', key, { subdomain, externalHost }) },
    footer: `${validity(expiresAtMs)}If you do not want to join, you need not do anything.`,
  });
  return { ...mail, recipientName: '' };
}

function words({ referrerName, referrerEmail, organizationName }: InvitationMail, url: string, isReminder: boolean) {
  const invited = `${referrerName} has invited you to join ${organizationName}`;
  const place = `${organizationName} (${url})`;
  return {
    subject: isReminder ? `Reminder: ${invited}` : invited,
    paragraphs: [
      isReminder
        ? `${referrerName} (${referrerEmail}) is still hoping that you join ${place}.`
        : `${referrerName} (${referrerEmail}) would like to talk to you on ${place}.`,
    ],
  };
}

const MOMENT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

function validity(expiresAtMs: number | null): string {
  return expiresAtMs === null ? '' : `The invitation ends on ${MOMENT.format(expiresAtMs)} UTC. `;
}

/** Composes the mail that proves the address of a person with a reusable link; null when it can no longer be accepted. */
export async function composeConfirmationMail(ctx: Context, job: MailJob): Promise<AddressedMail | null> {
  const { realmId } = job;
  const invitation = await findInvitationOfMail(ctx.db, job, ctx.clock.now());
  if (!invitation) return null;
  const { id } = invitation;
  const key = (await showKeys(ctx, { realmId, kind: 'invitation', ids: [id] })).get(id) as string;
  const { organizationName, subdomain } = job.content as unknown as ConfirmationMail;
  const externalHost = ctx.config.EXTERNAL_HOST;
  const mail = composeMail({
    subject: `Join ${organizationName}`,
    paragraphs: [
      `You are about to join ${organizationName} (${realmUrl(subdomain, externalHost)}). What is left is to make your account.`,
    ],
    action: { label: 'Make your account', url: keyUrl('invitation', key, { subdomain, externalHost }) },
    footer: 'The link holds for a day. If it was not you who asked for it, you need not do anything.',
  });
  return { ...mail, recipientName: '' };
}
