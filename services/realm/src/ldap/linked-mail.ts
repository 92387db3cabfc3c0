import { composeMail, type MailJob } from '@parley/shared/mail';
import { findUser } from '../accounts/users.sql';
import type { MailComposer } from '../base/mail-composer';

/** Tells people that their account belongs to an entry of the organization's directory from now on. */
export const composeLdapLinkedMail: MailComposer = async (ctx, { realmId, content }: MailJob, { name, url }) => {
  const user = await findUser(ctx.db, realmId, Number(content['userId']));
  if (!user) return null;
  const mail = composeMail({
    subject: `Your account on ${name} now belongs to the organization’s directory`,
    paragraphs: [
      `Your account ${user.deliveryEmail} on ${name} (${url}) was linked to your entry in the organization’s directory.`,
      'From now on you sign in with the password that you have there; your former password is no longer valid.',
    ],
    footer: 'If you do not know of this, tell the administrators of the organization.',
  });
  return { ...mail, recipientName: user.fullName };
};
