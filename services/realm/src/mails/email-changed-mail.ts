import type { Transaction } from '@parley/shared/db';
import { composeMail, type MailJob, putMail } from '@parley/shared/mail';
import type { User } from '@parley/shared/proto';
import type { MailComposer } from './mail-composer';

/** Has the former address told that the account has another one; `user` as it was. */
export async function putEmailChangedMail(
  tx: Transaction,
  { realmId, deliveryEmail: recipient, fullName }: User,
  { newEmail, nowMs }: { newEmail: string; nowMs: number },
): Promise<void> {
  await putMail(tx, { realmId, template: 'email-changed', recipient, content: { fullName, newEmail }, nowMs });
}

interface Content {
  fullName: string;
  newEmail: string;
}

export const composeEmailChangedMail: MailComposer = async (_ctx, { content }: MailJob, { name, url }) => {
  const { fullName, newEmail } = content as unknown as Content;
  const mail = composeMail({
    subject: `Your email address on ${name} has changed`,
    paragraphs: [
      `The email address of your account on ${name} (${url}) is now ${newEmail}.`,
      'If you did not ask for this, please tell the administrators of the organization at once.',
    ],
    footer: 'You get this mail at the former address of your account; it is the last one.',
  });
  return { ...mail, recipientName: fullName };
};
