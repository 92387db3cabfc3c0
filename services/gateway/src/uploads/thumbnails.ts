import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { UploadedImage, UploadPlace } from '@parley/shared/proto';
import { newCall, type RpcClient } from '@parley/shared/rpc';
import type { Logger } from '@parley/shared/service';
import { ANIMATED, inspectPicture, MAX_PICTURE_BYTES, makeThumbnail, STILL } from './picture';
import { type UploadStore, uploadKeys } from './upload-store';

/** Number of images processed concurrently; each takes a core. */
const MAX_AT_ONCE = 2;

/** Makes each picture's thumbnails once for all callers, and reports the result to the messages service. */
export interface Thumbnails {
  /** Inspects the stored bytes of a new file. */
  inspect(pathId: string, size: number): Promise<UploadedImage | null>;
  /** Resolves when the image's thumbnails are in the store (true), or cannot be made. */
  make(place: UploadPlace): Promise<boolean>;
  /** Resolves when no thumbnails are being made. */
  settled(): Promise<void>;
}

export interface ThumbnailNeeds {
  store: UploadStore;
  messages: Pick<RpcClient<'messages'>, 'settleThumbnails'>;
  log: Logger;
}

export function createThumbnails({ store, messages, log }: ThumbnailNeeds): Thumbnails {
  const underway = new Map<string, Promise<boolean>>();
  const inTurn = limited(MAX_AT_ONCE);

  async function makeAll({ realmId, pathId }: UploadPlace): Promise<boolean> {
    const isReady = await inTurn(() => storeThumbnails(store, pathId)).catch((error) => {
      log.warn({ err: error, pathId }, 'making the thumbnails of an image failed');
      return false;
    });
    await messages.settleThumbnails(newCall(), { realmId, pathId, isReady });
    return isReady;
  }

  return {
    inspect: (pathId, size) =>
      size > MAX_PICTURE_BYTES ? Promise.resolve(null) : inTurn(async () => inspectStored(store, pathId)),
    make(place) {
      const { pathId } = place;
      const found = underway.get(pathId) ?? makeAll(place).finally(() => underway.delete(pathId));
      underway.set(pathId, found);
      return found;
    },
    async settled() {
      await Promise.allSettled(underway.values());
    },
  };
}

async function inspectStored(store: UploadStore, pathId: string): Promise<UploadedImage | null> {
  const beginning = await store.get(uploadKeys.file(pathId), { start: 0, end: 15 });
  if (!beginning || !looksLikePicture(await buffer(beginning))) return null;
  const bytes = await store.get(uploadKeys.file(pathId));
  return bytes && inspectPicture(await buffer(bytes));
}

/** Avoids reading whole files that cannot be images. */
function looksLikePicture(beginning: Buffer): boolean {
  const text = beginning.toString('latin1');
  return /^(?:\x89PNG|\xff\xd8\xff|GIF8|RIFF....WEBP|....ftyp|II\*\0|MM\0\*)/s.test(text);
}

async function storeThumbnails(store: UploadStore, pathId: string): Promise<boolean> {
  const file = await store.get(uploadKeys.file(pathId));
  const bytes = file && (await buffer(file));
  const picture = bytes && (await inspectPicture(bytes));
  if (!picture) return false;
  const formats = picture.frames > 1 ? [STILL, ANIMATED] : [STILL];
  for (const format of formats) {
    const thumbnail = await makeThumbnail(bytes, format);
    await store.put(uploadKeys.thumbnail(pathId, format), Readable.from([thumbnail]));
  }
  return true;
}

/** Runs tasks with bounded concurrency, in order of arrival. */
function limited(maxAtOnce: number) {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (running >= maxAtOnce) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
