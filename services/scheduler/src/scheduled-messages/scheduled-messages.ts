import { announce } from '@parley/shared/bus';
import { ChangedMeanwhile, repeatOnConflict } from '@parley/shared/db';
import { BadRequestError, PublicError, ServiceUnavailableError } from '@parley/shared/errors';
import { scheduledMessageAdded, scheduledMessageChanged, scheduledMessageRemoved } from '@parley/shared/events';
import { putDueJob } from '@parley/shared/jobs';
import type {
  CreateScheduledMessageRequest,
  CreateScheduledMessageResponse,
  DeleteScheduledMessageRequest,
  DeleteScheduledMessageResponse,
  ScheduledMessages,
  UpdateScheduledMessageRequest,
  UpdateScheduledMessageResponse,
} from '@parley/shared/proto';
import { findFirstAnswer, type KeyedRequest, keyedRequest, storeOnce } from '@parley/shared/request-keys';
import type { Caller } from '@parley/shared/rpc';
import { REFUSAL } from '@parley/shared/texts/refusals';
import { checkDeliveryTime, deliveryTimeNotInFuture, SCHEDULE_LIMITS } from '../base/delivery-time';
import type { Context } from '../context';
import { checkWithMessages, type Written } from './check-with-messages';
import { accessOwn, cancelJob, jobOf, presentScheduledMessage } from './scheduled-message';
import {
  countScheduledMessages,
  deleteScheduledMessageRow,
  findScheduledMessage,
  insertScheduledMessage,
  lockScheduledMessage,
  type NewStoredMessage,
  replaceScheduledMessage,
  type StoredMessage,
  selectScheduledMessages,
} from './scheduled-message.sql';

/**
 * Stores a message to be sent later, if its author could send it now; a repeated request with the same idempotency key creates one only.
 */
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

/** Parameters that identify a repeated request; the client's name does not count. */
function meaningOf(request: CreateScheduledMessageRequest): unknown[] {
  const { channelId, recipientIds, isDirect, topic, content, deliverAtMs, isReadBySender } = request;
  return [channelId, recipientIds.toSorted((a, b) => a - b), isDirect, topic, content, deliverAtMs, isReadBySender];
}

async function checkRoom({ db }: Context, caller: Caller): Promise<void> {
  if ((await countScheduledMessages(db, caller)) < SCHEDULE_LIMITS.scheduledMessages) return;
  throw new BadRequestError(REFUSAL.messages.tooManyScheduled);
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

/** The caller's unsent messages, by time. */
export async function listScheduledMessages({ db }: Context, caller: Caller): Promise<ScheduledMessages> {
  return { scheduledMessages: (await selectScheduledMessages(db, caller)).map(presentScheduledMessage) };
}

/** Changes the content or time of a scheduled message; a failed one is retried at its new time. */
export async function updateScheduledMessage(
  ctx: Context,
  caller: Caller,
  request: UpdateScheduledMessageRequest,
): Promise<UpdateScheduledMessageResponse> {
  checkRequest(request, ctx.clock.now());
  await repeatOnConflict(caller.realmId, async () => {
    const id = request.scheduledMessageId;
    const present = accessOwn(caller, await findScheduledMessage(ctx.db, { realmId: caller.realmId, id }));
    if (present.failureMessage !== null && request.deliverAtMs === undefined) throw deliveryTimeNotInFuture();
    await replace(ctx, caller, present, await editedMessage(ctx, caller, present, request));
  });
  ctx.dueJobs.scheduledMessages.wake();
  return {};
}

/** Checks without the stored message, in the order in which clients expect errors. */
function checkRequest(request: UpdateScheduledMessageRequest, nowMs: number): void {
  const { isDirect, topic, deliverAtMs } = request;
  if (isDirect === undefined && deliverAtMs === undefined && !changesWhatIsSent(request)) {
    throw new BadRequestError('Nothing to change');
  }
  if (isDirect !== undefined && !isAddressed(request)) {
    throw new BadRequestError('Recipient required when updating type of scheduled message.');
  }
  if (isDirect === false && topic === undefined) {
    throw new BadRequestError('Topic required when updating scheduled message type to channel.');
  }
  if (deliverAtMs !== undefined) checkDeliveryTime(deliverAtMs, nowMs);
}

function isAddressed({ channelId, recipients }: UpdateScheduledMessageRequest): boolean {
  return channelId !== undefined || (recipients ?? null) !== null;
}

function changesWhatIsSent(request: UpdateScheduledMessageRequest): boolean {
  return isAddressed(request) || request.topic !== undefined || request.content !== undefined;
}

async function editedMessage(
  ctx: Context,
  caller: Caller,
  present: StoredMessage,
  request: UpdateScheduledMessageRequest,
): Promise<StoredMessage> {
  const { clientName, deliverAtMs = present.deliverAtMs } = request;
  const edited = { ...present, clientName, deliverAtMs, failureMessage: null };
  const written = writtenBy(present, request, deliverAtMs);
  if (changesWhatIsSent(request)) return { ...edited, ...(await checkWithMessages(ctx, caller, written)) };
  await renewUploads(ctx, caller, written);
  return edited;
}

/** The draft after the change. */
function writtenBy(
  present: StoredMessage,
  { isDirect = present.channelId === null, ...request }: UpdateScheduledMessageRequest,
  deliverAtMs: number,
): Written {
  const { channelId, recipients, content = present.content } = request;
  if (isDirect) {
    if (channelId !== undefined) throw new BadRequestError('Invalid data type for recipients');
    const recipientIds = recipients?.userIds ?? present.recipientIds;
    return { channelId: null, recipientIds, topic: undefined, content, deliverAtMs };
  }
  if (recipients) throw new BadRequestError('Invalid data type for channel ID');
  const { topic = present.topic } = request;
  return { channelId: channelId ?? present.channelId, recipientIds: [], topic, content, deliverAtMs };
}

/** Renews the claim on uploads. A changed time alone is always accepted: errors of the content show when it is sent. */
async function renewUploads(ctx: Context, caller: Caller, written: Written): Promise<void> {
  await checkWithMessages(ctx, caller, written).catch((error) => {
    if (!(error instanceof PublicError) || error instanceof ServiceUnavailableError) throw error;
  });
}

/** Throws ChangedMeanwhile when the message changed after the edit was checked. */
async function replace({ db }: Context, caller: Caller, present: StoredMessage, edited: StoredMessage): Promise<void> {
  const { realmId, userId } = caller;
  await db.transaction(async (tx) => {
    const locked = accessOwn(caller, await lockScheduledMessage(tx, present));
    const isSame = locked.revision === present.revision && locked.failureMessage === present.failureMessage;
    if (!isSame) throw new ChangedMeanwhile();
    await cancelJob(tx, locked);
    await replaceScheduledMessage(tx, edited);
    await putDueJob(tx, jobOf(edited), edited.deliverAtMs);
    await announce(tx, scheduledMessageChanged(realmId, { userId, scheduledMessage: presentScheduledMessage(edited) }));
  });
}

export async function deleteScheduledMessage(
  { db }: Context,
  caller: Caller,
  { scheduledMessageId }: DeleteScheduledMessageRequest,
): Promise<DeleteScheduledMessageResponse> {
  const { realmId, userId } = caller;
  await db.transaction(async (tx) => {
    const message = accessOwn(caller, await lockScheduledMessage(tx, { realmId, id: scheduledMessageId }));
    await cancelJob(tx, message);
    await deleteScheduledMessageRow(tx, message);
    await announce(tx, scheduledMessageRemoved(realmId, { userId, scheduledMessageId }));
  });
  return {};
}
