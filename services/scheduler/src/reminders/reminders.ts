import { batched } from '@parley/shared/batch';
import { announce } from '@parley/shared/bus';
import type { Database } from '@parley/shared/db';
import { BadRequestError, NothingToDoError } from '@parley/shared/errors';
import { reminderAdded, reminderRemoved } from '@parley/shared/events';
import {
  type ClaimedJob,
  cancelDueJob,
  type DueJobsDefinition,
  type JobKey,
  putDueJob,
  settleDueJob,
  settleDueJobs,
} from '@parley/shared/jobs';
import type {
  CreateReminderRequest,
  CreateReminderResponse,
  DeleteReminderRequest,
  DeleteReminderResponse,
  Reminders,
} from '@parley/shared/proto';
import { findFirstAnswer, type KeyedRequest, keyedRequest, storeOnce } from '@parley/shared/request-keys';
import type { Caller } from '@parley/shared/rpc';
import { REFUSAL } from '@parley/shared/texts/refusals';
import { checkDeliveryTime, SCHEDULE_LIMITS } from '../base/delivery-time';
import { failureOrThrow, SEND_LEASE_MS, sendingCaller } from '../base/sending';
import type { Context } from '../context';
import {
  countReminders,
  type DueReminder,
  deleteReminderRow,
  insertReminder,
  listRemindersByKey,
  markReminderFailed,
  type NewReminder,
  selectReminders,
  takeReminders,
} from './reminder.sql';
import { textOfNow, withhold } from './withheld-text';

/** Creates a reminder of a message that the caller may read; a repeated request with the same idempotency key creates one only. */
export async function createReminder(
  ctx: Context,
  caller: Caller,
  { messageId, note, deliverAtMs, idempotencyKey }: CreateReminderRequest,
): Promise<CreateReminderResponse> {
  const keyed = keyedRequest(caller, 'reminder', idempotencyKey, [messageId, note, deliverAtMs]);
  const first = await findFirstAnswer<CreateReminderResponse>(ctx, ctx.db, keyed);
  if (first) return first;
  checkDeliveryTime(deliverAtMs, ctx.clock.now());
  const [composed] = await Promise.all([
    ctx.services.messages.composeReminder(caller, { messageId, note }),
    checkRoom(ctx, caller),
  ]);
  const { realmId, userId } = caller;
  const answer = await store(ctx, realmId, { keyed, reminder: { userId, messageId, deliverAtMs, ...composed } });
  ctx.dueJobs.reminders.wake();
  return answer;
}

async function checkRoom({ db }: Context, caller: Caller): Promise<void> {
  if ((await countReminders(db, caller)) < SCHEDULE_LIMITS.reminders) return;
  throw new BadRequestError(REFUSAL.messages.tooManyReminders);
}

function store(
  ctx: Context,
  realmId: number,
  { keyed, reminder: { botId, ...reminder } }: { keyed: KeyedRequest | null; reminder: NewReminder },
): Promise<CreateReminderResponse> {
  const { userId, deliverAtMs } = reminder;
  return storeOnce(ctx, keyed, async (tx) => {
    const id = await insertReminder(tx, realmId, { ...reminder, botId });
    await putDueJob(tx, reminderJob(realmId, id), deliverAtMs);
    await announce(tx, reminderAdded(realmId, { userId, reminder: { ...reminder, id, hasFailed: false } }));
    return { reminderId: id };
  });
}

/** The caller's pending reminders, by time. */
export async function listReminders(ctx: Context, caller: Caller): Promise<Reminders> {
  return { reminders: await withhold(ctx, caller, await selectReminders(ctx.db, caller)) };
}

/** Deletes a reminder of the caller; one that is being sent may still arrive. */
export async function deleteReminder(
  { db }: Context,
  caller: Caller,
  { reminderId }: DeleteReminderRequest,
): Promise<DeleteReminderResponse> {
  const { realmId, userId } = caller;
  await db.transaction(async (tx) => {
    if (!(await deleteReminderRow(tx, caller, reminderId))) throw reminderDoesNotExist();
    await cancelDueJob(tx, reminderJob(realmId, reminderId));
    await announce(tx, reminderRemoved(realmId, { userId, reminderId }));
  });
  return {};
}

function reminderDoesNotExist(): BadRequestError {
  return new NothingToDoError(REFUSAL.messages.noReminder, 404);
}

export const JOB_KIND = 'reminder';

/** The job that sends a reminder. */
function reminderJob(realmId: number, id: number): JobKey {
  return { realmId, kind: JOB_KIND, id };
}

/** Handles due reminders. */
export function reminderJobs(ctx: Needed): DueJobsDefinition {
  const delivering = { ...ctx, ...batchDeliveries(ctx) };
  return {
    kind: JOB_KIND,
    concurrency: ctx.config.SCHEDULED_SENDS_AT_ONCE,
    leaseMs: SEND_LEASE_MS,
    run: (job) => deliverReminder(delivering, job),
  };
}

type Needed = Pick<Context, 'db' | 'services' | 'config'>;

const BATCH = { maxItems: 64, maxInFlight: 2 };

/** Database access of deliveries, batched over those that run at the same time: many are due at nine o'clock. */
interface Deliveries {
  find(job: ClaimedJob): Promise<DueReminder | null>;
  noteSent(job: ClaimedJob): Promise<undefined>;
}

function batchDeliveries({ db }: Pick<Needed, 'db'>): Deliveries {
  return {
    find: batched((jobs) => findAll(db, jobs), BATCH),
    noteSent: batched((jobs) => noteAllSent(db, jobs), BATCH),
  };
}

async function findAll(db: Database, jobs: readonly ClaimedJob[]): Promise<(DueReminder | null)[]> {
  const found = await listRemindersByKey(db, jobs);
  return jobs.map((job) => found.find(({ realmId, id }) => realmId === job.realmId && id === job.id) ?? null);
}

async function noteAllSent(db: Database, jobs: readonly ClaimedJob[]): Promise<undefined[]> {
  await db.transaction(async (tx) => {
    const present = await takeReminders(tx, jobs);
    await settleDueJobs(tx, jobs);
    // The deletion of others has announced it already.
    await announce(
      tx,
      ...present.map(({ realmId, userId, id }) => reminderRemoved(realmId, { userId, reminderId: id })),
    );
  });
  return jobs.map(() => undefined);
}

/** The client name shown for the message. */
const CLIENT_NAME = 'Internal';

/** Sends a due reminder; its message may have been deleted or closed to the reader since. */
async function deliverReminder(ctx: Needed & Deliveries, job: ClaimedJob): Promise<void> {
  const reminder = await ctx.find(job);
  if (reminder === null) return giveUp(ctx, job);
  const failure = await send(ctx, job, reminder).catch((error) => failureOrThrow(error, job));
  if (failure === undefined) await ctx.noteSent(job);
  else await giveUp(ctx, job, failure);
}

/** With an idempotency key, so that retries send once. */
async function send(ctx: Needed, job: ClaimedJob, reminder: DueReminder): Promise<undefined> {
  const { userId, botId } = reminder;
  const content = await textOfNow(ctx, sendingCaller(job.realmId, userId), reminder);
  await ctx.services.messages.sendMessage(sendingCaller(job.realmId, botId), {
    isDirect: true,
    recipientIds: [userId],
    recipientEmails: [],
    content,
    isReadBySender: true,
    clientName: CLIENT_NAME,
    jobKey: `${job.kind}:${job.id}`,
  });
  return undefined;
}

/** Deleted, or impossible to send, for instance because its user is deactivated. */
async function giveUp({ db }: Needed, job: ClaimedJob, failure?: string): Promise<void> {
  await db.transaction(async (tx) => {
    if (failure !== undefined) await markReminderFailed(tx, job, failure);
    await settleDueJob(tx, job);
  });
}
