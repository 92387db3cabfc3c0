import type { DeleteQueueRequest, DeleteQueueResponse } from '@parley/shared/proto';
import { type Caller, OPERATOR_ADDRESS } from '@parley/shared/rpc';
import type { Context } from '../context';
import { accessQueue } from './access-queue';

/** Removes the caller's queue. A poll that waits on it, on whichever pod, ends with what there is. */
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
