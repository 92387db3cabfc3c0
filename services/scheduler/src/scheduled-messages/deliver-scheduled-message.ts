import type { Context } from '../context';
import { type ClaimedJob, settleDueJob } from '../due-jobs';
import { failureOrThrow } from '../schedule/failure';
import { sendingCaller } from '../schedule/sending-caller';
import { sendRequest } from './check-with-messages';
import { failScheduledMessage } from './fail-scheduled-message';
import type { Deliveries } from './join-deliveries';
import { JOB_KIND, type StoredMessage } from './scheduled-message';
import { deleteScheduledMessageRow } from './scheduled-message.sql';

type Needed = Omit<Context, 'dueJobs'> & Deliveries;

/** Sends a scheduled message whose time has come, with what its author may do now; its second time is that of forgetting it. */
export async function deliverScheduledMessage(ctx: Needed, job: ClaimedJob): Promise<void> {
  const message = await ctx.find(job);
  if (message === null || message.sentMessageId !== null) return forget(ctx, job);
  const outcome = await send(ctx, message).catch((error) => failureOrThrow(error, job));
  if (typeof outcome === 'string') await failScheduledMessage(ctx, job, message, outcome);
  else await ctx.noteSent({ ...job, userId: message.userId, messageId: outcome });
}

/** With a key of its own: however often this is done, it is sent once. */
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
