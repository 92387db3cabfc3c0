import type { Context } from '../context';
import { endOfRecord } from '../log/event-id';

/**
 * Ends all queues that a user has; to be called from a listener. Polls that wait get the events of the record that is being listened
 * to, those that get none of it an empty answer, and whoever polls such a queue later, on whichever pod, hears that there is none.
 */
export function endQueuesOf({ window, eventLog, endedQueues, fanOut }: Context, realmId: number, userId: number): void {
  endedQueues.end(realmId, userId, { epoch: eventLog.epoch, position: endOfRecord(window.head) });
  fanOut.endAfter(window.head, realmId, userId);
}
