import { setTimeout as sleep } from 'node:timers/promises';
import type { Bus } from '@parley/shared/bus';
import { Events } from 'nats';
import type { Context } from '../context';
import type { QueueStore } from './queue-store';

const RETRY_MS = 100;

/** Ends the polls of queues that other pods remove, for as long as this pod runs. */
export async function followRemovals({ bus, queues, stopping, log }: Context, store: QueueStore): Promise<void> {
  void interruptOnReconnect(bus, store);
  while (!stopping.aborted) {
    try {
      await store.watchRemovals((queueId) => queues.forget(queueId));
    } catch (error) {
      if (!stopping.aborted) log.warn({ err: error }, 'watching the removal of queues was interrupted');
    }
    await sleep(RETRY_MS, undefined, { signal: stopping }).catch(() => {});
  }
}

/** A broker that was restarted has forgotten who watches, and says so only after a long silence. */
async function interruptOnReconnect({ connection }: Bus, store: QueueStore): Promise<void> {
  for await (const { type } of connection.status()) if (type === Events.Reconnect) store.interruptWatch();
}
