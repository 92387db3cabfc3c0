import type { Purged } from '@parley/shared/proto';

/**
 * Does a step of a deletion again and again; false when it is not complete: what is left has to wait, or the process is about to
 * stop.
 */
export async function repeatStep(stopping: AbortSignal, step: () => Promise<Purged>): Promise<boolean> {
  while (!stopping.aborted) {
    const { deleted, isComplete } = await step();
    if (isComplete) return true;
    if (deleted === 0) return false;
  }
  return false;
}
