import {
  type AddressedMail,
  createMailDelivery,
  createMailer,
  type MailDelivery,
  type MailJob,
} from '@parley/shared/mail';
import { newCall } from '@parley/shared/rpc';
import type { Context } from '../context';
import { composeDigest } from '../digests/compose-digest';
import { DIGEST } from '../digests/digest.sql';
import { composeMissedMail } from '../missed-mails/compose-missed-mail';
import { TEMPLATE } from '../missed-mails/due-mails';

type Needed = Pick<Context, 'db' | 'clock' | 'log' | 'config' | 'services'>;

const COMPOSERS: Readonly<Record<string, (ctx: Needed, job: MailJob) => Promise<AddressedMail | null>>> = {
  [TEMPLATE]: composeMissedMail,
  [DIGEST]: composeDigest,
};

/** Sends queued mails; not yet started. */
export function mailDelivery(ctx: Needed): MailDelivery {
  return createMailDelivery(ctx, {
    service: 'scheduler',
    mailer: createMailer(ctx.config, ctx.log),
    compose: (job) => composeSchedulerMail(ctx, job),
    onRefused: (job, reason, address) => noteBounce(ctx, job, reason, address),
  });
}

async function composeSchedulerMail(ctx: Needed, job: MailJob): Promise<AddressedMail | null> {
  const compose = COMPOSERS[job.template];
  // Queued by a replica of another release during an upgrade; a replica that knows the template sends it later.
  if (!compose) throw new Error(`unknown mail template "${job.template}"`);
  return compose(ctx, job);
}

async function noteBounce({ services }: Needed, { realmId, content }: MailJob, reason: string, address: string) {
  await services.realm.noteMailBounced(newCall(), { realmId, userId: Number(content['userId']), address, reason });
}
