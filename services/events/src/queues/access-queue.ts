import { BadEventQueueIdError } from '@parley/shared/errors';
import type { Context } from '../context';
import type { Queue } from './queue';

export interface QueueAccess {
  realmId: number;
  userId: number;
  queueId: string;
}

/** The caller's own queue. Throws the same for one that does not exist, has expired, was ended, or is somebody else's. */
export async function accessQueue(ctx: Context, { realmId, userId, queueId }: QueueAccess): Promise<Queue> {
  await ctx.eventLog.untilLoaded();
  const queue = await ctx.queues.find(queueId);
  const isOwn = queue?.descriptor.realmId === realmId && queue.descriptor.userId === userId;
  if (!queue || !isOwn || ctx.endedQueues.has(queue.descriptor)) throw new BadEventQueueIdError(queueId);
  return queue;
}
