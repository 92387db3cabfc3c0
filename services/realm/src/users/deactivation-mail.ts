import type { Transaction } from '@parley/shared/db';
import { composeMail, type MailJob, putMail } from '@parley/shared/mail';
import type { User } from '@parley/shared/proto';
import type { MailComposer } from '../base/mail-composer';

/** Queues a mail to the person about the deactivation. `comment`: the administrator's text, may be empty. */
export async function putDeactivationMail(
  tx: Transaction,
  { realmId, deliveryEmail: recipient, fullName }: User,
  { comment, nowMs }: { comment: string; nowMs: number },
): Promise<void> {
  await putMail(tx, { realmId, template: 'account-deactivated', recipient, content: { fullName, comment }, nowMs });
}

interface Content {
  fullName: string;
  comment: string;
}

export const composeDeactivationMail: MailComposer = async (_ctx, { content }: MailJob, { name, url }) => {
  const { fullName, comment } = content as unknown as Content;
  const paragraphs = [`Your account on ${name} (${url}) has been deactivated: you can no longer log in.`];
  if (comment !== '') paragraphs.push('The administrators have added this comment:');
  const mail = composeMail({
    subject: `Your account on ${name} has been deactivated`,
    paragraphs,
    quote: comment,
    footer: `You get this mail because you had an account on ${name}.`,
  });
  return { ...mail, recipientName: fullName };
};
