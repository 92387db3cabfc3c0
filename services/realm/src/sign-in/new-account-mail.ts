import { composeMail, type MailJob } from '@parley/shared/mail';
import { findUser } from '../accounts/users.sql';
import type { MailComposer } from '../base/mail-composer';
import { passwordLink } from './forgotten-password';
import { findPasswordHash } from './sign-in.sql';

/** People read the first mail of a new account later than one that they asked for. */
const VALID_MS = 7 * 24 * 3_600_000;

/** Welcomes the holder of an account that an operator has created, who sets its first password by the link. */
export const composeNewAccountMail: MailComposer = async (ctx, { realmId, content }: MailJob, { name, url }) => {
  const user = await findUser(ctx.db, realmId, Number(content['userId']));
  // An operator may have set a password meanwhile.
  if (!user?.isActive || (await findPasswordHash(ctx.db, realmId, user.id)) !== null) return null;
  const mail = composeMail({
    subject: `Welcome to ${name}`,
    paragraphs: [
      `You have an account on ${name} (${url}). You sign in with this address: ${user.deliveryEmail}.`,
      'What is left is to choose a password. The link can be used once, within seven days.',
    ],
    action: { label: 'Choose a password', url: await passwordLink(ctx, user, url, VALID_MS) },
    footer: `After that time, “Forgotten your password?” on the sign-in page sends you another link. If you do not know ${name} you need not do anything.`,
  });
  return { ...mail, recipientName: user.fullName };
};
