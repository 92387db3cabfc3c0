import type { Transaction } from '@parley/shared/db';
import { composeMail, type MailJob, putMail } from '@parley/shared/mail';
import type { User } from '@parley/shared/proto';
import { textLanguage } from '@parley/shared/texts';
import { MAIL_TEXTS } from '@parley/shared/texts/mails';
import { findUser } from '../accounts/users.sql';
import type { MailComposer, MailingOrganization } from '../base/mail-composer';
import type { Context } from '../context';
import { findBounce } from '../mail-recipients/bounces.sql';
import { holderOf } from '../mail-recipients/mail-holder';

/** Queues a mail to the person about the deactivation. `comment`: the administrator's text, may be empty. */
export async function putDeactivationMail(
  tx: Transaction,
  { realmId, id: userId, deliveryEmail: recipient, fullName }: User,
  { comment, nowMs }: { comment: string; nowMs: number },
): Promise<void> {
  const content = { userId, fullName, comment };
  await putMail(tx, { realmId, template: 'account-deactivated', recipient, content, nowMs });
}

interface Content {
  /** Absent in mails of the former version. */
  userId?: number;
  fullName: string;
  comment: string;
}

export const composeDeactivationMail: MailComposer = async (ctx, { realmId, content }: MailJob, organization) => {
  const { userId = 0, fullName, comment } = content as unknown as Content;
  if (await findBounce(ctx.db, realmId, userId)) return null;
  const language = await languageOf(ctx, organization, { realmId, userId });
  const texts = MAIL_TEXTS[textLanguage(language)].accounts.deactivated;
  const { name, url } = organization;
  const mail = composeMail({
    language,
    subject: texts.subject(name),
    paragraphs: [texts.said(name, url), ...(comment === '' ? [] : [texts.comment])],
    quote: comment,
    footer: texts.footer(name),
  });
  return { ...mail, recipientName: fullName };
};

/** The person's, who is no longer active. */
async function languageOf(
  ctx: Context,
  organization: MailingOrganization,
  { realmId, userId }: { realmId: number; userId: number },
): Promise<string> {
  const user = await findUser(ctx.db, realmId, userId);
  return user ? (await holderOf(ctx, organization, user)).reader.language : organization.language;
}
