import type { MailContent, MailJob } from '@parley/shared/mail';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../src/context';
import { composeRealmMail } from '../src/mails/send-mails';

export interface WaitingMail {
  template: string;
  recipient: string;
  content: MailContent;
}

/** The organization's queued mails, in order. */
export function waitingMails({ db }: Context, { realmId }: Caller): Promise<WaitingMail[]> {
  return db.query('select template, recipient, content from mail_job where realm_id = $1 order by id', [realmId]);
}

/** A mail as it would be sent now; null: not sent. */
export function composed(ctx: Context, { realmId }: Caller, mail: WaitingMail) {
  const job: MailJob = { ...mail, realmId, id: 1, createdAtMs: ctx.clock.now(), attempts: 1 };
  return composeRealmMail(ctx, job);
}
