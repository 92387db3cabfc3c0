import { composeMail, type MailJob } from '@parley/shared/mail';
import { findUser } from '../accounts/users.sql';
import type { MailComposer } from '../base/mail-composer';
import { findBounce } from '../mail-recipients/bounces.sql';
import { holderOf } from '../mail-recipients/mail-holder';

/** Tells people that their account belongs to an entry of the organization's directory from now on. */
export const composeLdapLinkedMail: MailComposer = async (ctx, { realmId, content }: MailJob, organization) => {
  const user = await findUser(ctx.db, realmId, Number(content['userId']));
  if (!user || (await findBounce(ctx.db, realmId, user.id))) return null;
  const { reader, texts } = await holderOf(ctx, organization, user);
  const { name, url } = organization;
  const { subject, said, consequence, footer } = texts.ldapLinked;
  const mail = composeMail({
    language: reader.language,
    subject: subject(name),
    paragraphs: [said(name, url, user.deliveryEmail), consequence],
    footer,
  });
  return { ...mail, recipientName: user.fullName };
};
