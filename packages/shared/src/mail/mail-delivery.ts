import type { Database } from '../db';
import { createJobs, type Jobs } from '../jobs';
import { declareGauge, type Logger, onScrape } from '../observability';
import { type BackOff, type Clock, monotonicClock, pauseMs, truncate } from '../values';
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
import { createTurns } from './turns';

/** How often a replica polls for other replicas' mails. New mails, and the next known retry, wake it. */
const LOOK_MS = 60_000;
const AT_ONCE = 4;
/** Longer than any server's timeout: after this time another replica sends the mail. */
const LEASE_MS = 5 * 60_000;
/** When stopped, a mail that a slow server has not accepted after this time is left to its lease. */
const STOP_MS = 10_000;
/** Random, because all mails fail together while the server is unreachable. */
export const BACK_OFF: BackOff = { firstMs: 30_000, lastMs: 4 * 3_600_000, spread: 0.5 };
/** Over about twelve hours. */
const MAX_ATTEMPTS = 12;
const KEPT_MS = 30 * 24 * 3_600_000;
const MAX_ERROR_LENGTH = 500;

interface Needed {
  db: Database;
  clock: Clock;
  log: Logger;
  config: { EXTERNAL_HOST: string; MAIL_FROM?: MailSender | undefined; MAILS_PER_SECOND: number };
}

/** A mail and its recipient. */
export interface AddressedMail extends ComposedMail {
  recipientName: string;
  /** The recipient's present address; absent: that of the row. */
  recipientAddress?: string;
}

export interface MailDeliveryDefinition {
  /** Part of message ids. */
  service: string;
  mailer: Mailer;
  /** Composes the mail just before it is sent; null: it is no longer needed. An error counts as a failed attempt. */
  compose(job: MailJob): Promise<AddressedMail | null>;
  /**
   * Called when the server refuses the recipient for good, before the mail is given up; at least once, and again with the mail's
   * next attempt if it throws.
   */
  onRefused?(job: MailJob, reason: string, address: string): Promise<void>;
}

/** `runOnce` sends all due mails, and resolves with the number of attempts. */
export type MailDelivery = Pick<Jobs, 'start' | 'runOnce' | 'stop'>;

/**
 * Sends the mails in the service's table (putMail), from start() until stop(); any number of replicas share them. A mail
 * is sent at least once: if a replica dies before it has stored the success, another one sends the mail again, with the same
 * message id.
 */
export function createMailDelivery(ctx: Needed, definition: MailDeliveryDefinition): MailDelivery {
  const { service, mailer } = definition;
  // Real time, also in tests that move the clock: the mail server's patience is. Set back, the host's clock would delay the next mail.
  const turns = createTurns(monotonicClock, ctx.config.MAILS_PER_SECOND);
  const jobs = createJobs<MailJob>(ctx, {
    name: `mails of ${service}`,
    table: {
      claim: (claim) => claimMails(ctx.db, claim),
      findNextDueAtMs: (nowMs) => findNextMailDueAtMs(ctx.db, nowMs),
    },
    concurrency: AT_ONCE,
    leaseMs: LEASE_MS,
    async run(job) {
      await turns.next();
      await deliver(ctx, definition, job);
    },
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
  await (failure === null ? removeMail(ctx.db, job) : settleFailure(ctx, definition, job, failure));
}

/** A refusal with the address that is refused. */
class RecipientRefusedError extends MailRefusedError {
  constructor(
    cause: MailRefusedError,
    readonly address: string,
  ) {
    super(cause.message, { isAboutRecipient: true, cause });
  }
}

async function send(ctx: Needed, { service, mailer, compose }: MailDeliveryDefinition, job: MailJob): Promise<void> {
  const mail = await compose(job);
  if (mail === null) return;
  const host = ctx.config.EXTERNAL_HOST.replace(/:\d+$/, '');
  const { recipientName: name, recipientAddress: address = job.recipient, ...composed } = mail;
  const sending = mailer.send({
    ...composed,
    to: { name, address },
    from: senderOf(ctx.config),
    messageId: mail.headers?.messageId ?? `${service}-${job.realmId}-${job.id}-${job.createdAtMs}@${host}`,
    sentAtMs: ctx.clock.now(),
  });
  await sending.catch((error) => {
    throw error instanceof MailRefusedError && error.isAboutRecipient
      ? new RecipientRefusedError(error, address)
      : error;
  });
  ctx.log.info(logged(job), 'a mail was sent');
}

async function settleFailure(
  ctx: Needed,
  definition: MailDeliveryDefinition,
  job: MailJob,
  cause: Error,
): Promise<void> {
  const nowMs = ctx.clock.now();
  const error = truncate(cause.message, MAX_ERROR_LENGTH, '…');
  const isFinal = cause instanceof MailRefusedError && (await isRefusalNoted(ctx, definition, job, cause));
  if (isFinal || job.attempts >= MAX_ATTEMPTS) {
    ctx.log.error({ ...logged(job), err: cause }, 'a mail was given up');
    await giveUpMail(ctx.db, job, { nowMs, keptSinceMs: nowMs - KEPT_MS, error });
  } else {
    ctx.log.warn({ ...logged(job), err: cause }, 'a mail could not be sent and is retried');
    await postponeMail(ctx.db, job, { dueAtMs: nowMs + pauseMs(BACK_OFF, job.attempts), error });
  }
}

/** False: the refused recipient could not be noted, so the mail is tried again. */
async function isRefusalNoted(
  { log }: Needed,
  { onRefused }: MailDeliveryDefinition,
  job: MailJob,
  refusal: MailRefusedError,
): Promise<boolean> {
  if (!(refusal instanceof RecipientRefusedError) || !onRefused) return true;
  try {
    await onRefused(job, truncate(refusal.message, MAX_ERROR_LENGTH, '…'), refusal.address);
    return true;
  } catch (error) {
    log.warn({ ...logged(job), err: error }, 'a refused recipient could not be noted');
    return false;
  }
}

const logged = ({ realmId, id, template, attempts }: MailJob) => ({ realmId, mailId: id, template, attempts });

const mails = declareGauge('parley_mails', 'Mails that wait, and those that were given up', ['service', 'state']);
const oldest = declareGauge('parley_mails_oldest_due_seconds', 'How long a mail has been due', ['service']);

/** Counts a service's mails for metrics until the returned function is called. */
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
