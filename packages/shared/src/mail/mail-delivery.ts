import type { Database } from '../db';
import { createJobs, type Jobs } from '../jobs';
import { declareGauge, type Logger, onScrape } from '../observability';
import { type BackOff, type Clock, pauseMs, truncate } from '../values';
import type { ComposedMail } from './compose-mail';
import { type Mailer, MailRefusedError, type MailSender, senderOf } from './mail';
import {
  claimMails,
  findNextMailDueAtMs,
  giveUpMail,
  MAILS,
  type MailJob,
  postponeMail,
  readMailBacklog,
  removeMail,
} from './mail-job.sql';

/** How often a replica looks for mails that others have left. New ones, and the next retry that it knows of, wake it. */
const LOOK_MS = 60_000;
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

interface Needed {
  db: Database;
  clock: Clock;
  log: Logger;
  config: { EXTERNAL_HOST: string; MAIL_FROM?: MailSender | undefined };
}

/** A mail and who it is for. */
export interface AddressedMail extends ComposedMail {
  recipientName: string;
}

export interface MailDeliveryDefinition {
  /** Its name is part of message ids. */
  service: string;
  mailer: Mailer;
  /** Composes the mail just before it is sent; null: it is no longer needed. An error counts as a failed attempt. */
  compose(job: MailJob): Promise<AddressedMail | null>;
}

/** `runOnce` sends all that is due, and resolves with how many mails were tried. */
export type MailDelivery = Pick<Jobs, 'start' | 'runOnce' | 'stop'>;

/**
 * Sends the mails that the service has put into its table (putMail), from start() until stop(); any number of replicas share them. A mail
 * is sent at least once: again, under the same message id, by another replica when the first one has died before it noted the sending.
 */
export function createMailDelivery(ctx: Needed, definition: MailDeliveryDefinition): MailDelivery {
  const { service, mailer } = definition;
  const jobs = createJobs<MailJob>(ctx, {
    name: `mails of ${service}`,
    table: {
      claim: (claim) => claimMails(ctx.db, claim),
      findNextDueAtMs: (nowMs) => findNextMailDueAtMs(ctx.db, nowMs),
    },
    concurrency: AT_ONCE,
    leaseMs: LEASE_MS,
    run: (job) => deliver(ctx, definition, job),
    lookEveryMs: () => LOOK_MS,
    stopWithinMs: STOP_MS,
  });
  const stopWaking = ctx.db.onCommitted(MAILS, jobs.wake);
  const stopMeasuring = measure(service, ctx);
  return {
    start: jobs.start,
    runOnce: jobs.runOnce,
    async stop() {
      stopWaking();
      stopMeasuring();
      await jobs.stop();
      mailer.close();
    },
  };
}

async function deliver(ctx: Needed, definition: MailDeliveryDefinition, job: MailJob): Promise<void> {
  const failure = await send(ctx, definition, job).then(
    () => null,
    (error: Error) => error,
  );
  await (failure === null ? removeMail(ctx.db, job) : settleFailure(ctx, job, failure));
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
  ctx.log.info(logged(job), 'a mail was sent');
}

async function settleFailure(ctx: Needed, job: MailJob, cause: Error): Promise<void> {
  const nowMs = ctx.clock.now();
  const error = truncate(cause.message, MAX_ERROR_LENGTH, '…');
  if (cause instanceof MailRefusedError || job.attempts >= MAX_ATTEMPTS) {
    ctx.log.error({ ...logged(job), err: cause }, 'a mail was given up');
    await giveUpMail(ctx.db, job, { nowMs, keptSinceMs: nowMs - KEPT_MS, error });
  } else {
    ctx.log.warn({ ...logged(job), err: cause }, 'a mail could not be sent and is tried again');
    await postponeMail(ctx.db, job, { dueAtMs: nowMs + pauseMs(BACK_OFF, job.attempts), error });
  }
}

const logged = ({ realmId, id, template, attempts }: MailJob) => ({ realmId, mailId: id, template, attempts });

const mails = declareGauge('parley_mails', 'Mails that wait, and those that were given up', ['service', 'state']);
const oldest = declareGauge('parley_mails_oldest_due_seconds', 'How long a mail has been due', ['service']);

/** Has a service's mails counted until the returned function is called. */
function measure(service: string, { db, clock }: Needed): () => void {
  return onScrape(async () => {
    const { waiting, oldestDueMs, undelivered } = await readMailBacklog(db, clock.now());
    return [
      { gauge: mails, value: waiting, labels: { service, state: 'waiting' } },
      { gauge: mails, value: undelivered, labels: { service, state: 'undelivered' } },
      { gauge: oldest, value: oldestDueMs / 1000, labels: { service } },
    ];
  });
}
