import type { DeleteQueueRequest, DeleteQueueResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { accessQueue } from './access-queue';

/** Removes the caller's queue. A poll that waits on it, on whichever pod, ends with what there is. */
export async function deleteQueue(
  ctx: Context,
  { realmId, userId }: Caller,
  { queueId }: DeleteQueueRequest,
): Promise<DeleteQueueResponse> {
  const queue = await accessQueue(ctx, { realmId, userId, queueId });
  await ctx.queues.remove(queue);
  return {};
}
