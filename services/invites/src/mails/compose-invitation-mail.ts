import { type AddressedMail, composeMail, type MailJob } from '@parley/shared/mail';
import { realmUrl } from '@parley/shared/values';
import type { Context } from '../context';
import { keyUrl } from '../keys/key-url';
import { showKeys } from '../keys/show-keys';
import type { InvitationMail } from '../mail-jobs/mail-jobs.sql';
import { findInvitationOfMail } from './invitation-of-mail.sql';

/** What the mail about an invitation says by now; null: the invitation cannot be accepted any more. */
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
