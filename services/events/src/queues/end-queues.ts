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

/** Before it is done: there is no transaction that both could share. */
async function recordEnd({ realm }: Context, caller: Caller, queueId: string): Promise<void> {
  const state = (word: string) => JSON.stringify({ [`queue.${queueId}`]: word });
  const change = { before: state('in use'), after: state('ended') };
  await realm.recordAct(caller, { key: `end-queue:${queueId}`, name: 'end-queue', userId: caller.userId, ...change });
}

/**
 * Ends the queues that were made with API keys which open nothing any more, like endQueuesOf all that the user has; to be called
 * from a listener.
 */
export function endQueuesOfKeys(ctx: Context, realmId: number, { userId, keyIds }: ApiKeyRevoked): void {
  const { window, eventLog, endedQueues, fanOut } = ctx;
  endedQueues.endKeys(realmId, userId, keyIds, { epoch: eventLog.epoch, position: endOfRecord(window.head) });
  // All of the user's polls get an empty answer: one with such a key may wait on a queue that was made with another.
  fanOut.endAfter(window.head, realmId, userId);
}

/** Ends all queues of an organization, like endQueuesOf those of one user; to be called from a listener. */
export function endQueuesOfRealm({ window, eventLog, endedQueues, fanOut }: Context, realmId: number): void {
  endedQueues.end(realmId, undefined, { epoch: eventLog.epoch, position: endOfRecord(window.head) });
  fanOut.endAfter(window.head, realmId);
}

/** Ends those queues of a user that get all public channels, like endQueuesOf all of them; to be called from a listener. */
export function endWideQueuesOf(ctx: Context, realmId: number, userId: number): void {
  const { window, eventLog, endedQueues, fanOut } = ctx;
  endedQueues.endWide(realmId, userId, { epoch: eventLog.epoch, position: endOfRecord(window.head) });
  // The user's other queues get an empty answer and continue.
  fanOut.endAfter(window.head, realmId, userId);
}

/**
 * Ends all queues of a user; to be called from a listener. Parked polls get the events of the present record, or an empty answer; later
 * polls of such a queue, on whichever pod, are answered with BAD_EVENT_QUEUE_ID.
 */
export function endQueuesOf({ window, eventLog, endedQueues, fanOut }: Context, realmId: number, userId: number): void {
  endedQueues.end(realmId, userId, { epoch: eventLog.epoch, position: endOfRecord(window.head) });
  fanOut.endAfter(window.head, realmId, userId);
}
