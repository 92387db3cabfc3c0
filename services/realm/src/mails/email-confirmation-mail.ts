import { composeMail, type MailJob } from '@parley/shared/mail';
import type { Context } from '../context';
import { hashConfirmationKey, makeConfirmationKey } from '../email-changes/confirmation-key';
import { findEmailChangeById, insertEmailChangeKey } from '../email-changes/email-changes.sql';
import { VALID_MS } from '../email-changes/request-email-change';
import { findUser } from '../users/users.sql';
import type { MailComposer } from './mail-composer';

/** Its key is made when it is sent, and if that is done twice another one: nowhere does a key lie about. */
export const composeEmailConfirmationMail: MailComposer = async (ctx, { realmId, content }: MailJob, { name, url }) => {
  const change = await findEmailChangeById(ctx.db, realmId, Number(content['emailChangeId']));
  const isOpen = change && change.confirmedAtMs === null && change.createdAtMs + VALID_MS > ctx.clock.now();
  const user = isOpen ? await findUser(ctx.db, realmId, change.userId) : null;
  if (!change || !user?.isActive) return null;
  const { oldEmail, newEmail } = change;
  const key = await issueKey(ctx, realmId, change.id);
  const mail = composeMail({
    subject: `Confirm your new email address for ${name}`,
    paragraphs: [
      `Somebody, probably you, has asked to change the email address of the account ${oldEmail} on ${name} (${url}) to ${newEmail}.`,
      'It changes when you confirm it, which can be done within a day.',
    ],
    action: { label: 'Confirm the new address', url: `${url}/accounts/confirm_new_email/${key}` },
    footer: 'If you did not ask for this you need not do anything: then the address stays as it is.',
  });
  return { ...mail, recipientName: user.fullName };
};

async function issueKey(ctx: Context, realmId: number, emailChangeId: number): Promise<string> {
  const key = makeConfirmationKey();
  await insertEmailChangeKey(ctx.db, realmId, emailChangeId, hashConfirmationKey(key) as Buffer);
  return key;
}
