import { randomUUID } from 'node:crypto';
import { BadRequestError } from '@parley/shared/errors';
import type { ClientView } from '@parley/shared/events';
import type { CreateQueueRequest, CreateQueueResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { isGuest } from '@parley/shared/values';
import type { Context } from '../context';
import { endOfRecord } from '../log/event-id';
import { lifespanOf, slackMsOf } from './lifespan';
import { compileNarrow } from './narrow';
import type { QueueDescriptor } from './queue';

const MAX_DESCRIPTOR_BYTES = 32 * 1024;
const FROM_THE_BEGINNING = -1;

/** Makes a queue that begins at the end of what this pod has read: the state that its client fetches next is never older. */
export async function createQueue(
  ctx: Context,
  caller: Caller,
  request: CreateQueueRequest,
): Promise<CreateQueueResponse> {
  await ctx.eventLog.untilLoaded();
  const start = { epoch: ctx.eventLog.epoch, beginsAt: endOfRecord(ctx.window.head) };
  const isWide = await mayBeWide(ctx, caller, request);
  const descriptor = { ...describe(ctx, caller, request), ...start, isWide };
  requireServable(descriptor);
  await ctx.queues.create(descriptor);
  return { queueId: descriptor.queueId, lastEventId: FROM_THE_BEGINNING };
}

/** Narrowed queues hear all public channels, too: what their clients show is chosen by the narrow, not by subscriptions. */
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

function viewFrom({ applyMarkdown, clientGravatar, capabilities }: CreateQueueRequest): ClientView {
  const isEmptyTopicUnderstood = capabilities.includes('empty_topic_name');
  return { applyMarkdown, clientGravatar, isEmptyTopicUnderstood, capabilities };
}

function requireServable(descriptor: QueueDescriptor): void {
  compileNarrow(descriptor.narrow);
  if (Buffer.byteLength(JSON.stringify(descriptor)) > MAX_DESCRIPTOR_BYTES)
    throw new BadRequestError('event_types, narrow and client_capabilities are too long together');
}
