import { composeMail, type MailJob } from '@parley/shared/mail';
import type { MailComposer } from '../base/mail-composer';
import { findMailHolder } from '../mail-recipients/mail-holder';
import { passwordLink } from './forgotten-password';
import { findPasswordHash } from './sign-in.sql';

/** People read the first mail of a new account later than one that they asked for. */
const VALID_MS = 7 * 24 * 3_600_000;

/** Welcomes the holder of an account that an operator has created, who sets its first password by the link. */
export const composeNewAccountMail: MailComposer = async (ctx, { realmId, content }: MailJob, organization) => {
  const holder = await findMailHolder(ctx, organization, { realmId, userId: Number(content['userId']) });
  // An operator may have set a password meanwhile.
  if (!holder || (await findPasswordHash(ctx.db, realmId, holder.user.id)) !== null) return null;
  const { user, reader } = holder;
  const { name, url } = organization;
  const texts = holder.texts.newAccount;
  const mail = composeMail({
    language: reader.language,
    subject: texts.subject(name),
    paragraphs: [texts.said(name, url, user.deliveryEmail), texts.validity],
    action: { label: texts.action, url: await passwordLink(ctx, user, url, VALID_MS) },
    footer: texts.footer(name),
  });
  return { ...mail, recipientName: user.fullName };
};
