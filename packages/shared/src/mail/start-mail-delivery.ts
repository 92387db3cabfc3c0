import { type BaseContext, keepDoing } from '../service';
import { type BackOff, pauseMs, truncate } from '../values';
import type { ComposedMail } from './compose-mail';
import { type Mailer, MailRefusedError } from './mail';
import { claimMails, giveUpMail, MAILS, type MailJob, postponeMail, removeMail } from './mail-job.sql';
import { type MailSender, senderOf } from './mail-settings';
import { measureMails } from './measure-mails';

/** How often a replica looks for mails that are to be tried again, or that another one has left; its own it sends at once. */
const POLL_MS = 10_000;
const AT_ONCE = 4;
/** Longer than any server is waited for: after this time another replica sends the mail. */
const LEASE_MS = 5 * 60_000;
/** A mail that a slow server has not taken by then is left to its lease. */
const STOP_MS = 10_000;
/** At random, since all mails fail together while the server is unreachable. */
export const BACK_OFF: BackOff = { firstMs: 30_000, lastMs: 4 * 3_600_000, spread: 0.5 };
/** Over about twelve hours. */
const MAX_ATTEMPTS = 12;
const KEPT_MS = 30 * 24 * 3_600_000;
const MAX_ERROR_LENGTH = 500;

type Needed = Pick<
  BaseContext<{ EXTERNAL_HOST: string; MAIL_FROM?: MailSender | undefined }>,
  'db' | 'clock' | 'log' | 'config'
>;

/** A mail and who it is for. */
export interface AddressedMail extends ComposedMail {
  recipientName: string;
}

export interface MailDeliveryDefinition {
  /** Of the service: told in message ids. */
  service: string;
  mailer: Mailer;
  /** Makes the mail when it is about to be sent; null: nobody needs it any more. What it throws counts as an attempt that failed. */
  compose(job: MailJob): Promise<AddressedMail | null>;
}

export interface MailDelivery {
  /** Sends all that is due; resolves with how many mails were tried. */
  runOnce(): Promise<number>;
  /** Resolves once what this replica has begun is finished, or after some seconds. */
  stop(): Promise<void>;
}

/**
 * Sends the mails that the service has put into its table (putMail) until it is stopped; any number of replicas share them. A mail is
 * sent at least once: again, under the same message id, by another replica when the first one has died before it noted the sending.
 */
export function startMailDelivery(ctx: Needed, definition: MailDeliveryDefinition): MailDelivery {
  const stopMeasuring = measureMails(definition.service, ctx);
  const wokenBy = (wake: () => void) => ctx.db.onCommitted(MAILS, wake);
  const chore = { everyMs: POLL_MS, failure: 'mails could not be looked for', wokenBy };
  const stopPolling = keepDoing(ctx, chore, (stopping) => sendAll(ctx, definition, stopping));
  return {
    runOnce: () => sendAll(ctx, definition, new AbortController().signal),
    async stop() {
      stopMeasuring();
      await untilStopped(ctx, stopPolling());
      definition.mailer.close();
    },
  };
}

async function untilStopped({ clock }: Needed, running: Promise<unknown>): Promise<void> {
  let cancel = () => {};
  const patience = new Promise<void>((resolve) => {
    cancel = clock.after(STOP_MS, resolve);
  });
  await Promise.race([running, patience]);
  cancel();
}

async function sendAll(ctx: Needed, definition: MailDeliveryDefinition, stopping: AbortSignal): Promise<number> {
  let count = 0;
  while (!stopping.aborted) {
    const jobs = await claimMails(ctx.db, { nowMs: ctx.clock.now(), leaseMs: LEASE_MS, limit: AT_ONCE });
    if (jobs.length === 0) break;
    await Promise.all(jobs.map((job) => deliver(ctx, definition, job)));
    count += jobs.length;
  }
  return count;
}

async function deliver(ctx: Needed, definition: MailDeliveryDefinition, job: MailJob): Promise<void> {
  const failure = await send(ctx, definition, job).then(
    () => null,
    (error: Error) => error,
  );
  const settled = failure === null ? removeMail(ctx.db, job) : settleFailure(ctx, job, failure);
  // Then the mail is tried again once the lease is over.
  await settled.catch((error) =>
    ctx.log.warn({ ...told(job), err: error }, 'what became of a mail could not be noted'),
  );
}

async function send(ctx: Needed, { service, mailer, compose }: MailDeliveryDefinition, job: MailJob): Promise<void> {
  const mail = await compose(job);
  if (mail === null) return;
  const host = ctx.config.EXTERNAL_HOST.replace(/:\d+$/, '');
  const { recipientName: name, subject, text, html } = mail;
  await mailer.send({
    subject,
    text,
    html,
    to: { name, address: job.recipient },
    from: senderOf(ctx.config),
    messageId: `${service}-${job.realmId}-${job.id}-${job.createdAtMs}@${host}`,
    sentAtMs: ctx.clock.now(),
  });
  ctx.log.info(told(job), 'a mail was sent');
}

async function settleFailure(ctx: Needed, job: MailJob, cause: Error): Promise<void> {
  const nowMs = ctx.clock.now();
  const error = truncate(cause.message, MAX_ERROR_LENGTH, '…');
  if (cause instanceof MailRefusedError || job.attempts >= MAX_ATTEMPTS) {
    ctx.log.error({ ...told(job), err: cause }, 'a mail was given up');
    await giveUpMail(ctx.db, job, { nowMs, keptSinceMs: nowMs - KEPT_MS, error });
  } else {
    ctx.log.warn({ ...told(job), err: cause }, 'a mail could not be sent and is tried again');
    await postponeMail(ctx.db, job, { dueAtMs: nowMs + pauseMs(BACK_OFF, job.attempts), error });
  }
}

const told = ({ realmId, id, template, attempts }: MailJob) => ({ realmId, mailId: id, template, attempts });
