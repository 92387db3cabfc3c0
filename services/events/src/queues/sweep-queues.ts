import { setTimeout as sleep } from 'node:timers/promises';
import type { Bus } from '@parley/shared/bus';
import { runPeriodically } from '@parley/shared/jobs';
import { Events } from 'nats';
import type { Context } from '../context';
import { findSurplus } from './owned-queues';
import type { QueueStore } from './queue-store';

const PAUSE_MS = 5 * 60_000;

/** Removes surplus queues every few minutes, until the returned function is called; pods do this at different times. */
export function sweepQueuesPeriodically(ctx: Context, store: QueueStore): () => Promise<void> {
  const { clock, random, queues, attentions, endedQueues } = ctx;
  const task = { everyMs: PAUSE_MS * (1 + random()), failure: 'removing surplus queues failed' };
  return runPeriodically(ctx, task, async (stopping) => {
    queues.forgetExpired();
    attentions.keepOnly(queues.owners());
    endedQueues.forgetExpired();
    await store.sweep(
      (stored) => findSurplus(stored, clock.now(), (descriptor) => endedQueues.has(descriptor)),
      stopping,
    );
  });
}

const RETRY_MS = 100;
const OPENING_MS = 500;

/** Ends the polls of queues that other pods remove, until the returned function is called, once `stopping` is aborted. */
export function followRemovals(ctx: Context, store: QueueStore): () => Promise<void> {
  void followConnection(ctx.bus, store);
  const following = watchAll(ctx, store);
  return async () => {
    store.interruptWatch();
    // NOTE: nats.js keeps the timer of a watch whose connection is closed while it is opened.
    await Promise.race([following, sleep(OPENING_MS, undefined, { ref: false })]);
  };
}

async function watchAll({ queues, stopping, log }: Context, store: QueueStore): Promise<void> {
  while (!stopping.aborted) {
    try {
      await store.watchRemovals((queueId) => queues.forget(queueId), stopping);
    } catch (error) {
      if (!stopping.aborted) log.warn({ err: error }, 'watching the removal of queues was interrupted');
    }
    await sleep(RETRY_MS, undefined, { signal: stopping }).catch(() => {});
  }
}

async function followConnection({ connection }: Bus, store: QueueStore): Promise<void> {
  for await (const { type } of connection.status()) {
    if (type === Events.Disconnect) store.noteDisconnect();
    // A restarted broker has lost the watches, and reports that only after a long silence.
    if (type === Events.Reconnect) store.interruptWatch();
  }
}
