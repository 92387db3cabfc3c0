import { runPeriodically } from '@parley/shared/jobs';
import { newCall } from '@parley/shared/rpc';
import type { Context } from '../context';
import { deleteUpload } from './upload-store';

const EVERY_MS = 5 * 60_000;

type Needed = Pick<Context, 'clock' | 'log' | 'services' | 'uploads'>;

/** Every few minutes: deletes expired files, and makes missing thumbnails. */
export function maintainUploads(ctx: Needed): () => Promise<void> {
  return runPeriodically(ctx, { everyMs: EVERY_MS, failure: 'uploads were not looked after' }, () => upkeep(ctx));
}

async function upkeep(ctx: Needed): Promise<void> {
  await deleteExpired(ctx);
  await makePendingThumbnails(ctx);
}

/** In the messages service's batches. Bytes first: bytes without a row would never be found. */
async function deleteExpired({ services, uploads }: Needed): Promise<void> {
  for (;;) {
    const { places } = await services.messages.expireUploads(newCall(), {});
    if (places.length === 0) return;
    for (const { pathId } of places) await deleteUpload(uploads.store, pathId);
    await services.messages.forgetUploads(newCall(), { places });
  }
}

async function makePendingThumbnails({ services, uploads }: Needed): Promise<void> {
  const { places } = await services.messages.takePendingThumbnails(newCall(), {});
  await Promise.all(places.map((place) => uploads.thumbnails.make(place)));
}
