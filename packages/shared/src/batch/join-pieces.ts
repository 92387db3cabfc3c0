import type { Slices } from './slices';

/** Copied at a time. */
const STEP_BYTES = 1024 * 1024;

/** One buffer of all pieces, copied in slices: tens of megabytes take long, in fresh memory. Throws ServiceUnavailableError after the deadline. */
export async function joinInSlices(pieces: readonly Uint8Array[], slices: Slices): Promise<Buffer> {
  const joined = Buffer.allocUnsafe(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    for (let from = 0; from < piece.length; from += STEP_BYTES) {
      if (slices.isUsedUp()) await slices.endSlice();
      const step = piece.subarray(from, from + STEP_BYTES);
      joined.set(step, at);
      at += step.length;
    }
  }
  return joined;
}
