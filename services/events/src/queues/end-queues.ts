import type { ApiKeyRevoked } from '@parley/shared/events';
import type { DeleteQueueRequest, DeleteQueueResponse } from '@parley/shared/proto';
import { type Caller, OPERATOR_ADDRESS } from '@parley/shared/rpc';
import type { Context } from '../context';
import { endOfRecord } from '../log/event-id';
import { accessQueue } from './get-events';

/** Deletes the caller's queue. Its waiting poll, on any pod, ends with the events so far. */
export async function deleteQueue(
  ctx: Context,
  caller: Caller,
  { queueId }: DeleteQueueRequest,
): Promise<DeleteQueueResponse> {
  const { realmId, userId, clientAddress } = caller;
  const queue = await accessQueue(ctx, { realmId, userId, queueId });
  if (clientAddress === OPERATOR_ADDRESS) await recordEnd(ctx, caller, queueId);
  await ctx.queues.remove(queue);
  return {};
}

/** Recorded before it is done, because the two share no transaction. */
async function recordEnd({ realm }: Context, caller: Caller, queueId: string): Promise<void> {
  const state = (word: string) => JSON.stringify({ [`queue.${queueId}`]: word });
  const change = { before: state('in use'), after: state('ended') };
  await realm.recordAct(caller, { key: `end-queue:${queueId}`, name: 'end-queue', userId: caller.userId, ...change });
}

/**
 * Ends the queues created with API keys that are no longer valid, as endQueuesOf ends all of a user's; to be called
 * from a listener.
 */
export function endQueuesOfKeys(ctx: Context, realmId: number, { userId, keyIds }: ApiKeyRevoked): void {
  const { window, eventLog, endedQueues, fanOut } = ctx;
  endedQueues.endKeys(realmId, userId, keyIds, { epoch: eventLog.epoch, position: endOfRecord(window.head) });
  // All of the user's polls get an empty answer: a poll with such a key may wait on a queue created with another.
  fanOut.endAfter(window.head, realmId, userId);
}

/** Ends all queues of an organization, as endQueuesOf ends those of one user; to be called from a listener. */
export function endQueuesOfRealm({ window, eventLog, endedQueues, fanOut }: Context, realmId: number): void {
  endedQueues.end(realmId, undefined, { epoch: eventLog.epoch, position: endOfRecord(window.head) });
  fanOut.endAfter(window.head, realmId);
}

/** Ends a user's queues for all public channels, as endQueuesOf ends all of them; to be called from a listener. */
export function endWideQueuesOf(ctx: Context, realmId: number, userId: number): void {
  const { window, eventLog, endedQueues, fanOut } = ctx;
  endedQueues.endWide(realmId, userId, { epoch: eventLog.epoch, position: endOfRecord(window.head) });
  // The user's other queues get an empty answer and continue.
  fanOut.endAfter(window.head, realmId, userId);
}

/**
 * Ends all queues of a user; to be called from a listener. Parked polls get the events of the current record, or an empty answer;
 * later polls of these queues, on any pod, get BAD_EVENT_QUEUE_ID.
 */
export function endQueuesOf({ window, eventLog, endedQueues, fanOut }: Context, realmId: number, userId: number): void {
  endedQueues.end(realmId, userId, { epoch: eventLog.epoch, position: endOfRecord(window.head) });
  fanOut.endAfter(window.head, realmId, userId);
}
