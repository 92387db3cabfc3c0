import { announce } from '@parley/shared/bus';
import { reminderRemoved } from '@parley/shared/events';
import type { Context } from '../context';
import { type ClaimedJob, settleDueJob } from '../due-jobs';
import { failureOrThrow } from '../schedule/failure';
import { sendingCaller } from '../schedule/sending-caller';
import { type DueReminder, deleteReminderRow, findReminder, markReminderFailed } from './reminder.sql';
import { textOfNow } from './withhold';

type Needed = Omit<Context, 'dueJobs'>;

/** What the message is shown to come from. */
const CLIENT_NAME = 'Internal';

/** Sends a reminder whose time has come; the message that it is about may be gone, or closed to its reader. */
export async function deliverReminder(ctx: Needed, job: ClaimedJob): Promise<void> {
  const reminder = await findReminder(ctx.db, job);
  if (reminder === null) return giveUp(ctx, job);
  const failure = await send(ctx, job, reminder).catch((error) => failureOrThrow(error, job));
  if (failure === undefined) await noteSent(ctx, job, reminder);
  else await giveUp(ctx, job, failure);
}

/** With a key of its own: however often this is done, it is sent once. */
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

async function noteSent({ db }: Needed, job: ClaimedJob, { userId }: DueReminder): Promise<void> {
  const { realmId, id: reminderId } = job;
  await db.transaction(async (tx) => {
    const isPresent = await deleteReminderRow(tx, { realmId, userId }, reminderId);
    await settleDueJob(tx, job);
    // Whoever deleted it has said so.
    if (isPresent) await announce(tx, reminderRemoved(realmId, { userId, reminderId }));
  });
}

/** It was deleted, or cannot be sent: its user is deactivated, for instance. */
async function giveUp({ db }: Needed, job: ClaimedJob, failure?: string): Promise<void> {
  await db.transaction(async (tx) => {
    if (failure !== undefined) await markReminderFailed(tx, job, failure);
    await settleDueJob(tx, job);
  });
}
