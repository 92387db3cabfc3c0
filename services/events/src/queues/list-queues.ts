import type { QueueList, QueueSummary } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { lastUseOf } from './owned-queues';
import type { QueueDescriptor } from './queue';

/** The caller's queues on all pods, except ended ones and those of a lost log; the most recently used first. */
export async function listQueues(
  { queues, endedQueues, eventLog }: Context,
  { realmId, userId }: Pick<Caller, 'realmId' | 'userId'>,
): Promise<QueueList> {
  // A pod that has just started does not know ended queues yet.
  await eventLog.untilLoaded();
  const living = (await queues.list(realmId, userId)).filter(
    (descriptor) => descriptor.epoch === eventLog.epoch && !endedQueues.has(descriptor),
  );
  return { queues: living.sort((a, b) => lastUseOf(b) - lastUseOf(a)).map(summaryOf) };
}

function summaryOf(descriptor: QueueDescriptor): QueueSummary {
  const { queueId, clientName, apiKeyId, eventTypes, expiresAt } = descriptor;
  return {
    queueId,
    clientName,
    apiKeyId,
    eventTypes: eventTypes ?? [],
    hasEventTypes: eventTypes !== null,
    lastUsedAtMs: lastUseOf(descriptor),
    expiresAtMs: expiresAt,
  };
}
