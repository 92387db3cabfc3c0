import { announce } from '@parley/shared/bus';
import { BadRequestError } from '@parley/shared/errors';
import { scheduledMessageAdded } from '@parley/shared/events';
import type { CreateScheduledMessageRequest, CreateScheduledMessageResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { putDueJob } from '../due-jobs';
import { checkDeliveryTime } from '../schedule/delivery-time';
import { SCHEDULE_LIMITS } from '../schedule/schedule-limits';
import { checkWithMessages } from './check-with-messages';
import { jobOf, type NewStoredMessage, presentScheduledMessage } from './scheduled-message';
import { countScheduledMessages, insertScheduledMessage } from './scheduled-message.sql';

/** Keeps a message to be sent later, if its author could send it now. */
export async function createScheduledMessage(
  ctx: Context,
  caller: Caller,
  request: CreateScheduledMessageRequest,
): Promise<CreateScheduledMessageResponse> {
  const { deliverAtMs, isReadBySender, clientName } = request;
  checkDeliveryTime(deliverAtMs, ctx.clock.now());
  const { channelId = null, recipientIds, topic, content } = request;
  const written = { channelId, recipientIds, topic, content, deliverAtMs };
  const [checked] = await Promise.all([checkWithMessages(ctx, caller, written), checkRoom(ctx, caller)]);
  const { realmId, userId } = caller;
  const scheduledMessageId = await store(ctx, { realmId, userId, ...checked, deliverAtMs, isReadBySender, clientName });
  ctx.dueJobs.scheduledMessages.wake();
  return { scheduledMessageId };
}

async function checkRoom({ db }: Context, caller: Caller): Promise<void> {
  if ((await countScheduledMessages(db, caller)) < SCHEDULE_LIMITS.scheduledMessages) return;
  throw new BadRequestError('There are too many scheduled messages; delete some of them first.');
}

function store({ db }: Context, message: NewStoredMessage): Promise<number> {
  const { realmId, userId, deliverAtMs } = message;
  return db.transaction(async (tx) => {
    const id = await insertScheduledMessage(tx, message);
    await putDueJob(tx, jobOf({ realmId, id }), deliverAtMs);
    const stored = { ...message, id, failureMessage: null, sentMessageId: null, revision: 1 };
    await announce(tx, scheduledMessageAdded(realmId, { userId, scheduledMessage: presentScheduledMessage(stored) }));
    return id;
  });
}
