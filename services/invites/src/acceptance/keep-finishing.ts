import { keepDoing } from '@parley/shared/service';
import type { Context } from '../context';
import { finishHalfAccepted } from './finish-half-accepted';

const EVERY_MS = 30_000;

/** Ends half-done acceptances every now and then, on all replicas, until the returned function is called. */
export function keepFinishing(ctx: Context): () => Promise<void> {
  return keepDoing(ctx, { everyMs: EVERY_MS, failure: 'acceptances were not finished' }, () => finishHalfAccepted(ctx));
}
