import { announce } from '@parley/shared/bus';
import { BadRequestError } from '@parley/shared/errors';
import { scheduledMessageAdded } from '@parley/shared/events';
import type { CreateScheduledMessageRequest, CreateScheduledMessageResponse } from '@parley/shared/proto';
import { findFirstAnswer, type KeyedRequest, keyedRequest, storeOnce } from '@parley/shared/request-keys';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { putDueJob } from '../due-jobs';
import { checkDeliveryTime } from '../schedule/delivery-time';
import { SCHEDULE_LIMITS } from '../schedule/schedule-limits';
import { checkWithMessages } from './check-with-messages';
import { jobOf, type NewStoredMessage, presentScheduledMessage } from './scheduled-message';
import { countScheduledMessages, insertScheduledMessage } from './scheduled-message.sql';

/** Keeps a message to be sent later, if its author could send it now; once for whoever repeats it with its key. */
export async function createScheduledMessage(
  ctx: Context,
  caller: Caller,
  request: CreateScheduledMessageRequest,
): Promise<CreateScheduledMessageResponse> {
  const keyed = keyedRequest(caller, 'scheduled_message', request.idempotencyKey, meaningOf(request));
  const first = await findFirstAnswer<CreateScheduledMessageResponse>(ctx, ctx.db, keyed);
  if (first) return first;
  const { deliverAtMs, isReadBySender, clientName } = request;
  checkDeliveryTime(deliverAtMs, ctx.clock.now());
  const { channelId = null, recipientIds, topic, content } = request;
  const written = { channelId, recipientIds, topic, content, deliverAtMs };
  const [checked] = await Promise.all([checkWithMessages(ctx, caller, written), checkRoom(ctx, caller)]);
  const { realmId, userId } = caller;
  const message = { realmId, userId, ...checked, deliverAtMs, isReadBySender, clientName };
  const answer = await store(ctx, keyed, message);
  ctx.dueJobs.scheduledMessages.wake();
  return answer;
}

/** From which client it comes is no matter. */
function meaningOf(request: CreateScheduledMessageRequest): unknown[] {
  const { channelId, recipientIds, isDirect, topic, content, deliverAtMs, isReadBySender } = request;
  return [channelId, recipientIds.toSorted((a, b) => a - b), isDirect, topic, content, deliverAtMs, isReadBySender];
}

async function checkRoom({ db }: Context, caller: Caller): Promise<void> {
  if ((await countScheduledMessages(db, caller)) < SCHEDULE_LIMITS.scheduledMessages) return;
  throw new BadRequestError('There are too many scheduled messages; delete some of them first.');
}

function store(
  ctx: Context,
  keyed: KeyedRequest | null,
  message: NewStoredMessage,
): Promise<CreateScheduledMessageResponse> {
  const { realmId, userId, deliverAtMs } = message;
  return storeOnce(ctx, keyed, async (tx) => {
    const id = await insertScheduledMessage(tx, message);
    await putDueJob(tx, jobOf({ realmId, id }), deliverAtMs);
    const stored = { ...message, id, failureMessage: null, sentMessageId: null, revision: 1 };
    await announce(tx, scheduledMessageAdded(realmId, { userId, scheduledMessage: presentScheduledMessage(stored) }));
    return { scheduledMessageId: id };
  });
}
