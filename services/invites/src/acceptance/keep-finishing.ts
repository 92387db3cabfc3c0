import type { Context } from '../context';
import { finishHalfAccepted } from './finish-half-accepted';

const EVERY_MS = 30_000;

/** Ends half-done acceptances every now and then, on all replicas, until the returned function is called. */
export function keepFinishing(ctx: Context): () => Promise<void> {
  let running: Promise<unknown> = Promise.resolve();
  let cancel = schedule();

  function schedule() {
    return ctx.clock.after(EVERY_MS, () => {
      running = finishHalfAccepted(ctx).catch((error) => ctx.log.warn({ err: error }, 'acceptances were not finished'));
      cancel = schedule();
    });
  }

  return async () => {
    cancel();
    await running;
  };
}
