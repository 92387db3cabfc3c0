import { type AddressedMail, createMailDelivery, createMailer, type MailJob } from '@parley/shared/mail';
import type { Context } from '../context';
import type { InvitationTemplate } from '../mail-jobs/mail-jobs.sql';
import { composeConfirmationMail, composeInvitationMail } from './compose-mails';

type MailComposer = (ctx: Context, job: MailJob) => Promise<AddressedMail | null>;

const COMPOSERS: Readonly<Record<InvitationTemplate, MailComposer>> = {
  invitation: composeInvitationMail,
  'invitation-reminder': composeInvitationMail,
  'address-confirmation': composeConfirmationMail,
};

/** Sends queued mails, until the returned function is called. */
export function sendMails(ctx: Context): () => Promise<void> {
  const mailer = createMailer(ctx.config, ctx.log);
  const delivery = createMailDelivery(ctx, {
    service: 'invites',
    mailer,
    compose: (job) => composeInvitesMail(ctx, job),
  });
  delivery.start();
  return () => delivery.stop();
}

/** The mail's present content; null: no longer needed. */
export async function composeInvitesMail(ctx: Context, job: MailJob): Promise<AddressedMail | null> {
  const compose = COMPOSERS[job.template as InvitationTemplate] as MailComposer | undefined;
  // Queued by a replica of another release during an upgrade; a replica that knows the template sends it later.
  if (!compose) throw new Error(`unknown mail template "${job.template}"`);
  return compose(ctx, job);
}
