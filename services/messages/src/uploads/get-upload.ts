import type { GetUploadRequest, Upload } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { listByPath, type UploadRow } from './attachment.sql';
import { findUploads } from './find-uploads';
import { fileForbidden, fileNotFound } from './upload-errors';

/** A file that the caller may have. */
export async function getUpload(ctx: Context, caller: Caller, { pathId }: GetUploadRequest): Promise<Upload> {
  const [found] = await findUploads(ctx, caller, [pathId]);
  if (found) return present(found);
  const [existing] = await listByPath(ctx.db, caller.realmId, [pathId]);
  throw existing?.state === 'stored' ? fileForbidden() : fileNotFound();
}

function present(row: UploadRow): Upload {
  const { pathId, name, contentType, size, thumbnails, imageType } = row;
  const image =
    imageType === null
      ? null
      : {
          contentType: imageType,
          width: row.imageWidth as number,
          height: row.imageHeight as number,
          frames: row.imageFrames as number,
        };
  return { pathId, name, contentType, size, thumbnails, image };
}
