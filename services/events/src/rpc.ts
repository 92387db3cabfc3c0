import { byCaller, type Implementation } from '@parley/shared/rpc';
import type { Context } from './context';
import { createQueue, getQueueBeginning } from './queues/create-queue';
import { deleteQueue } from './queues/end-queues';
import { listQueues } from './queues/list-queues';
import { poll, pollTogether } from './queues/serve-polls';

/** Before they change anything they call realm on behalf of the caller. */
export const CONFIRMED_WITHIN = [] as const;

/** Every method of proto/events.proto and its action. */
export function implementation(ctx: Context): Implementation<'events'> {
  return {
    getQueueBeginning: byCaller((caller, request) => getQueueBeginning(ctx, caller, request)),
    createQueue: byCaller((caller, request) => createQueue(ctx, caller, request)),
    deleteQueue: byCaller((caller, request) => deleteQueue(ctx, caller, request)),
    listQueues: byCaller((caller) => listQueues(ctx, caller)),
    pollTogether: (call) => pollTogether(ctx, call),
    poll: (call) => poll(ctx, call),
  };
}
