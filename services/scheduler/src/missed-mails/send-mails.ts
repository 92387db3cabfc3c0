import {
  type AddressedMail,
  createMailDelivery,
  createMailer,
  type MailDelivery,
  type MailJob,
} from '@parley/shared/mail';
import { newCall } from '@parley/shared/rpc';
import type { Context } from '../context';
import { composeMissedMail } from './compose-missed-mail';
import { TEMPLATE } from './due-mails';

type Needed = Pick<Context, 'db' | 'clock' | 'log' | 'config' | 'services'>;

/** Sends queued mails; not yet started. */
export function mailDelivery(ctx: Needed): MailDelivery {
  return createMailDelivery(ctx, {
    service: 'scheduler',
    mailer: createMailer(ctx.config, ctx.log),
    compose: (job) => composeSchedulerMail(ctx, job),
    onRefused: (job, reason) => noteBounce(ctx, job, reason),
  });
}

async function composeSchedulerMail(ctx: Needed, job: MailJob): Promise<AddressedMail | null> {
  // Queued by a replica of another release during an upgrade; a replica that knows the template sends it later.
  if (job.template !== TEMPLATE) throw new Error(`unknown mail template "${job.template}"`);
  return composeMissedMail(ctx, job);
}

async function noteBounce({ services }: Needed, { realmId, recipient: address, content }: MailJob, reason: string) {
  await services.realm.noteMailBounced(newCall(), { realmId, userId: Number(content['userId']), address, reason });
}
