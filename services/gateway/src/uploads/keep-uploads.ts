import { runPeriodically } from '@parley/shared/jobs';
import { newCall } from '@parley/shared/rpc';
import type { Context } from '../context';
import { deleteUpload } from './upload-store';

const EVERY_MS = 5 * 60_000;

type Needed = Pick<Context, 'clock' | 'log' | 'services' | 'uploads'>;

/** Every few minutes: deletes files whose time is up, and makes the thumbnails that somebody failed to make. */
export function keepUploads(ctx: Needed): () => Promise<void> {
  return runPeriodically(ctx, { everyMs: EVERY_MS, failure: 'uploads were not looked after' }, () => upkeep(ctx));
}

async function upkeep(ctx: Needed): Promise<void> {
  await deleteExpired(ctx);
  await makePendingThumbnails(ctx);
}

/** In the batches that the messages service gives out. Bytes go first: what has no row any more nobody would find. */
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
