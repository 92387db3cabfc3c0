import type { Context } from '../context';
import { endOfRecord } from '../log/event-id';

/** Ends all queues of an organization, like endQueuesOf those of one user; to be called from a listener. */
export function endQueuesOfRealm({ window, eventLog, endedQueues, fanOut }: Context, realmId: number): void {
  endedQueues.end(realmId, undefined, { epoch: eventLog.epoch, position: endOfRecord(window.head) });
  fanOut.endAfter(window.head, realmId);
}
