import { composeMail, type MailJob } from '@parley/shared/mail';
import type { MailComposer } from '../base/mail-composer';
import { findReachableHolder } from '../mail-recipients/mail-holder';

/** Tells the holder of an account that a sign-in provider opens it from now on. */
export const composeIdentityLinkedMail: MailComposer = async (ctx, { realmId, content }: MailJob, organization) => {
  const holder = await findReachableHolder(ctx, organization, { realmId, userId: Number(content['userId']) });
  if (!holder) return null;
  const { user, reader } = holder;
  const { name, url } = organization;
  const provider = String(content['provider']);
  const texts = holder.texts.identityLinked;
  const mail = composeMail({
    language: reader.language,
    subject: texts.subject(name, provider),
    paragraphs: [texts.said(name, url, provider, user.deliveryEmail), texts.consequence],
    footer: texts.footer(name),
  });
  return { ...mail, recipientName: user.fullName };
};
