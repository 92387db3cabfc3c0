import { randomUUID } from 'node:crypto';
import { TransactionSnapshot } from '@parley/shared/db';
import { BadRequestError } from '@parley/shared/errors';
import type { ClientView } from '@parley/shared/events';
import type { CreateQueueRequest, CreateQueueResponse, QueueBeginning } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { isGuest } from '@parley/shared/values';
import type { Context } from '../context';
import { endOfRecord } from '../log/event-id';
import { lifespanOf, slackMsOf } from './ended-queues';
import { compileNarrow } from './narrow';
import type { QueueDescriptor } from './queue';

const MAX_DESCRIPTOR_BYTES = 32 * 1024;
const FROM_THE_BEGINNING = -1;

/** The position up to which this pod has read. A state read after this answer includes all events before it. */
export async function getQueueBeginning(
  ctx: Context,
  caller: Caller,
  request: CreateQueueRequest,
): Promise<QueueBeginning> {
  const { epoch, beginsAt } = await newDescriptor(ctx, caller, request);
  return { epoch, beginsAt };
}

/** Creates a queue that begins at a position from before the state was read, or else at the end of this pod's log. */
export async function createQueue(
  ctx: Context,
  caller: Caller,
  request: CreateQueueRequest,
): Promise<CreateQueueResponse> {
  const descriptor = { ...(await newDescriptor(ctx, caller, request)), snapshots: usableSnapshots(request) };
  await ctx.queues.create(descriptor);
  return { queueId: descriptor.queueId, lastEventId: FROM_THE_BEGINNING };
}

async function newDescriptor(ctx: Context, caller: Caller, request: CreateQueueRequest): Promise<QueueDescriptor> {
  await ctx.eventLog.untilLoaded();
  const head = { epoch: ctx.eventLog.epoch, beginsAt: endOfRecord(ctx.window.head) };
  const isWide = await mayBeWide(ctx, caller, request);
  const descriptor = { ...describe(ctx, caller, request), ...(request.beginning ?? head), isWide };
  requireServable(descriptor);
  return descriptor;
}

/** Narrowed queues get all public channels, too: their narrow decides what clients get, not subscriptions. */
async function mayBeWide(ctx: Context, caller: Caller, { allPublicChannels, narrow }: CreateQueueRequest) {
  if (!allPublicChannels && narrow.length === 0) return false;
  const { role } = await ctx.realm.getOwnUser(caller, {});
  if (allPublicChannels && isGuest(role)) throw new BadRequestError('User not authorized for this query');
  return !isGuest(role);
}

function describe(
  { clock }: Context,
  { realmId, userId }: Caller,
  request: CreateQueueRequest,
): Omit<QueueDescriptor, 'epoch' | 'beginsAt' | 'isWide'> {
  const lifespanSecs = lifespanOf(request.lifespanSecs);
  return {
    queueId: randomUUID(),
    realmId,
    userId,
    apiKeyId: request.apiKeyId,
    eventTypes: request.hasEventTypes ? request.eventTypes : null,
    narrow: request.narrow.map(({ operator, operand }) => ({ operator, operand })),
    view: viewFrom(request),
    capabilities: request.capabilities,
    clientName: request.clientName,
    lifespanSecs,
    expiresAt: clock.now() + lifespanSecs * 1000 + slackMsOf(lifespanSecs),
  };
}

/** A snapshot that is too large is dropped: the queue then gets all events of that service, some of them twice. */
function usableSnapshots({ snapshots }: CreateQueueRequest): Record<string, string> {
  const usable = snapshots.filter(({ snapshot }) => TransactionSnapshot.parse(snapshot) !== undefined);
  return Object.fromEntries(usable.map(({ service, snapshot }) => [service, snapshot]));
}

function viewFrom({ applyMarkdown, clientGravatar, capabilities }: CreateQueueRequest): ClientView {
  const isEmptyTopicUnderstood = capabilities.includes('empty_topic_name');
  return { applyMarkdown, clientGravatar, isEmptyTopicUnderstood, capabilities };
}

function requireServable(descriptor: QueueDescriptor): void {
  compileNarrow(descriptor.narrow);
  if (Buffer.byteLength(JSON.stringify(descriptor)) > MAX_DESCRIPTOR_BYTES)
    throw new BadRequestError('event_types, narrow and client_capabilities are too long together');
}
