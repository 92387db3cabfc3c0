import type { Context } from '../context';
import { endOfRecord } from '../log/event-id';

/** Ends those queues of a user that hear all public channels, like endQueuesOf all of them; to be called from a listener. */
export function endWideQueuesOf(ctx: Context, realmId: number, userId: number): void {
  const { window, eventLog, endedQueues, fanOut } = ctx;
  endedQueues.endWide(realmId, userId, { epoch: eventLog.epoch, position: endOfRecord(window.head) });
  // The user's other queues get an empty answer and go on.
  fanOut.endAfter(window.head, realmId, userId);
}
