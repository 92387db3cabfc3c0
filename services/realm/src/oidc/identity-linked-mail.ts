import { composeMail, type MailJob } from '@parley/shared/mail';
import { findUser } from '../accounts/users.sql';
import type { MailComposer } from '../base/mail-composer';

/** Tells the holder of an account that a sign-in provider opens it from now on. */
export const composeIdentityLinkedMail: MailComposer = async (ctx, { realmId, content }: MailJob, { name, url }) => {
  const user = await findUser(ctx.db, realmId, Number(content['userId']));
  if (!user?.isActive) return null;
  const mail = composeMail({
    subject: `You can sign in to ${name} with ${String(content['provider'])}`,
    paragraphs: [
      `Somebody, probably you, has signed in to ${name} (${url}) with ${String(content['provider'])}, which says that ${user.deliveryEmail} is their address.`,
      'From now on this sign-in opens your account.',
    ],
    footer: `If this was not you, tell an administrator of ${name} at once.`,
  });
  return { ...mail, recipientName: user.fullName };
};
