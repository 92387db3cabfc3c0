import type { ApiKeyRevoked } from '@parley/shared/events';
import type { Context } from '../context';
import { endOfRecord } from '../log/event-id';

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
