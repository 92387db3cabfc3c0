import type { UploadPlaces } from '@parley/shared/proto';
import type { Context } from '../context';
import { takePending } from './thumbnails.sql';

/** Making them takes seconds; whoever has not settled them by then is gone. */
const PATIENCE_MS = 3 * 60_000;
const MAX_AT_ONCE = 20;

/** Some of the images whose thumbnails somebody ought to make again. */
export async function takePendingThumbnails({ db, clock }: Context): Promise<UploadPlaces> {
  const nowMs = clock.now();
  return { places: await takePending(db, nowMs, nowMs - PATIENCE_MS, MAX_AT_ONCE) };
}
