import { batched } from '@parley/shared/batch';
import { announce } from '@parley/shared/bus';
import { UnauthorizedError } from '@parley/shared/errors';
import {
  type DomainEvent,
  noticeAnnounced,
  scheduledMessageChanged,
  scheduledMessageRemoved,
} from '@parley/shared/events';
import { type ClaimedJob, type DueJobsDefinition, postponeDueJobs, settleDueJob } from '@parley/shared/jobs';
import type { BaseContext } from '@parley/shared/service';
import { failureOrThrow, SEND_LEASE_MS, sendingCaller } from '../base/sending';
import type { Context } from '../context';
import { sendRequest } from './check-with-messages';
import { JOB_KIND, presentScheduledMessage } from './scheduled-message';
import {
  deleteScheduledMessageRow,
  listScheduledMessagesByKey,
  lockScheduledMessage,
  lockScheduledMessages,
  markFailed,
  markSent,
  type StoredMessage,
} from './scheduled-message.sql';

/** The job that sends scheduled messages when they are due. */
export function scheduledMessageJobs(ctx: Omit<Context, 'dueJobs'>): DueJobsDefinition {
  const delivering = { ...ctx, ...batchDeliveries(ctx) };
  return {
    kind: JOB_KIND,
    concurrency: ctx.config.SCHEDULED_SENDS_AT_ONCE,
    leaseMs: SEND_LEASE_MS,
    run: (job) => deliverScheduledMessage(delivering, job),
  };
}

type Needed = Omit<Context, 'dueJobs'>;

/** Sends a due message with its author's present rights. The job is due a second time when the trace of a sent message expires. */
async function deliverScheduledMessage(ctx: Needed & Deliveries, job: ClaimedJob): Promise<void> {
  const message = await ctx.find(job);
  if (message === null || message.sentMessageId !== null) return forget(ctx, job);
  const outcome = await send(ctx, message).catch((error) => failureOrThrow(error, job));
  if (typeof outcome === 'string') await failScheduledMessage(ctx, job, message, outcome);
  else await ctx.noteSent({ ...job, userId: message.userId, messageId: outcome });
}

/** The job key makes repeated calls send once. */
async function send({ services, config }: Needed, message: StoredMessage): Promise<number> {
  const { realmId, userId, id, deliverAtMs, topic, isReadBySender, clientName } = message;
  const { messageId } = await services.messages.sendMessage(sendingCaller(realmId, userId), {
    ...sendRequest(message),
    topic,
    isReadBySender,
    clientName,
    jobKey: `${JOB_KIND}:${id}`,
    notAfterMs: deliverAtMs + config.SCHEDULED_MESSAGE_MAX_LATENESS_SECS * 1_000,
  });
  return messageId;
}

async function forget({ db }: Needed, job: ClaimedJob): Promise<void> {
  await db.transaction(async (tx) => {
    await deleteScheduledMessageRow(tx, job);
    await settleDueJob(tx, job);
  });
}

/** How long an attempt to change a sent message is answered with "was already sent". */
const TRACE_MS = 24 * 60 * 60_000;
const BATCH = { maxItems: 64, maxInFlight: 2 };

/** A job whose message was sent. */
interface SentJob extends ClaimedJob {
  userId: number;
  messageId: number;
}

/** Database access of deliveries, batched over those that run at the same time. */
interface Deliveries {
  find(job: ClaimedJob): Promise<StoredMessage | null>;
  /** Stores that it was sent and announces it to its author. */
  noteSent(job: SentJob): Promise<undefined>;
}

type Stores = Pick<BaseContext<unknown>, 'db' | 'clock'>;

function batchDeliveries(ctx: Stores): Deliveries {
  return {
    find: batched((jobs) => findAll(ctx, jobs), BATCH),
    noteSent: batched((jobs) => noteAllSent(ctx, jobs), BATCH),
  };
}

async function findAll({ db }: Stores, jobs: readonly ClaimedJob[]): Promise<(StoredMessage | null)[]> {
  const found = await listScheduledMessagesByKey(db, jobs);
  return jobs.map(({ id }) => found.find((message) => message.id === id) ?? null);
}

/** Their jobs become due again when the trace expires. */
async function noteAllSent({ db, clock }: Stores, jobs: readonly SentJob[]): Promise<undefined[]> {
  await db.transaction(async (tx) => {
    await lockScheduledMessages(tx, jobs);
    const held = await postponeDueJobs(tx, jobs, clock.now() + TRACE_MS);
    await markSent(tx, held);
    const eventOf = ({ realmId, userId, id }: SentJob) =>
      scheduledMessageRemoved(realmId, { userId, scheduledMessageId: id });
    await announce(tx, ...held.map(eventOf));
  });
  return jobs.map(() => undefined);
}

const NOTHING_ASKED = {
  channelIds: [],
  mentionedNames: [],
  mentionedGroupNames: [],
  linkedChannelNames: [],
  emojiNames: [],
  withoutSend: true,
};

/** Stores why a message cannot be sent; its author is notified, unless deactivated. */
async function failScheduledMessage(
  ctx: Needed,
  job: ClaimedJob,
  message: StoredMessage,
  failureMessage: string,
): Promise<void> {
  const botId = await findTeller(ctx, message);
  await ctx.db.transaction(async (tx) => {
    await lockScheduledMessage(tx, job);
    if (!(await settleDueJob(tx, job))) return;
    await markFailed(tx, job, failureMessage);
    if (botId !== null) await announce(tx, ...eventsOf({ ...message, failureMessage }, botId));
  });
}

/** The notification bot; null when the author, or the organization, is deactivated. */
async function findTeller({ services }: Needed, { realmId, userId }: StoredMessage): Promise<number | null> {
  try {
    const facts = await services.realm.getEditFacts(sendingCaller(realmId, userId), NOTHING_ASKED);
    return facts.read?.realm?.isDeactivated ? null : (facts.notificationBot?.id ?? null);
  } catch (error) {
    if (error instanceof UnauthorizedError) return null;
    throw error;
  }
}

function eventsOf(message: StoredMessage & { failureMessage: string }, botId: number): DomainEvent[] {
  const { realmId, userId, deliverAtMs, failureMessage } = message;
  const content = failureNotice(deliverAtMs, failureMessage);
  return [
    scheduledMessageChanged(realmId, { userId, scheduledMessage: presentScheduledMessage(message) }),
    noticeAnnounced(realmId, { senderId: botId, to: { userIds: [userId] }, content, readByIds: [] }),
  ];
}

/** Notice for the author of a message that could not be sent. */
function failureNotice(deliverAtMs: number, failureMessage: string): string {
  const time = `<time:${new Date(deliverAtMs).toISOString()}>`;
  return [
    `The message you scheduled for ${time} was not sent because of the following error:`,
    `> ${failureMessage.replaceAll('\n', ' ')}`,
    '[View scheduled messages](#scheduled)',
  ].join('\n\n');
}
