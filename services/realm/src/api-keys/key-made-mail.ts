import type { Transaction } from '@parley/shared/db';
import { composeMail, type MailJob, mailMoment, putMail } from '@parley/shared/mail';
import type { User } from '@parley/shared/proto';
import type { MailComposer } from '../base/mail-composer';
import { findReachableHolder } from '../mail-recipients/mail-holder';

type Content = { userId: number; label: string; areOthersReplaced: boolean; atMs: number };

/** Queues a mail to a person for whose account a key was made, in that transaction: nobody makes one unnoticed. */
export async function putKeyMadeMail(
  tx: Transaction,
  { realmId, id: userId, deliveryEmail: recipient }: User,
  { nowMs, ...key }: Pick<Content, 'label' | 'areOthersReplaced'> & { nowMs: number },
): Promise<void> {
  const content = { userId, ...key, atMs: nowMs } satisfies Content;
  await putMail(tx, { realmId, template: 'key-made', recipient, content, nowMs });
}

export const composeKeyMadeMail: MailComposer = async (ctx, { realmId, content }: MailJob, organization) => {
  const { userId, label, areOthersReplaced, atMs } = content as Content;
  const holder = await findReachableHolder(ctx, organization, { realmId, userId });
  if (!holder) return null;
  const { user, reader } = holder;
  const texts = holder.texts.keyMade;
  const { name, url } = organization;
  const mail = composeMail({
    language: reader.language,
    subject: texts.subject(name),
    paragraphs: [
      texts.said(name, url, user.deliveryEmail),
      ...(label === '' ? [] : [texts.label(label)]),
      texts.time(mailMoment(atMs, reader)),
      ...(areOthersReplaced ? [texts.replaced] : []),
      texts.advice,
    ],
    action: { label: texts.action, url: `${url}/#settings/keys` },
    footer: texts.footer,
  });
  return { ...mail, recipientName: user.fullName };
};
