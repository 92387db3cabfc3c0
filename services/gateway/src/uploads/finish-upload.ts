import type { Attachment } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { renewedCall } from './renewed-call';

export interface Incoming {
  pathId: string;
  size: number;
}

/** Turns a completely stored file into an attachment. Thumbnails of an image are made after the answer. */
export async function finishUpload(
  ctx: Pick<Context, 'uploads' | 'services' | 'log'>,
  caller: Caller,
  { pathId, size }: Incoming,
): Promise<Attachment> {
  const { uploads, services, log } = ctx;
  const image = await uploads.thumbnails.inspect(pathId, size);
  const attachment = await services.messages.completeUpload(renewedCall(caller), { pathId, size, image });
  if (image) {
    uploads.thumbnails
      .make({ realmId: caller.realmId, pathId })
      // They stay pending, and are retried (maintainUploads).
      .catch((error) =>
        log.warn({ err: error, pathId, requestId: caller.requestId }, 'storing the result of thumbnails failed'),
      );
  }
  return attachment;
}
