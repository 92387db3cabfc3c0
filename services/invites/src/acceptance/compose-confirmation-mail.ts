import { type AddressedMail, composeMail, type MailJob } from '@parley/shared/mail';
import { realmUrl } from '@parley/shared/values';
import type { Context } from '../context';
import { keyUrl } from '../keys/key-url';
import { showKeys } from '../keys/show-keys';
import type { ConfirmationMail } from '../mail-jobs/mail-jobs.sql';
import { findInvitationOfMail } from '../mails/invitation-of-mail.sql';

/** The mail to whoever wants to join by a reusable link; null: it is of no use any more. */
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
