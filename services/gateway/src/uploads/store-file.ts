import type { Readable } from 'node:stream';
import { BadRequestError } from '@parley/shared/errors';
import type { Caller } from '@parley/shared/rpc';
import { truncate } from '@parley/shared/values';
import type { Context } from '../context';
import { abandonUpload } from './abandon-upload';
import { contentTypeOf } from './content-type';
import type { Incoming } from './finish-upload';
import { FALLBACK_NAME, newPathId, safeName } from './path-id';
import { uploadKeys } from './upload-store';

const MAX_NAME_LENGTH = 255;
const MIB = 1024 * 1024;

export interface ReceivedFile extends Incoming {
  /** The sender's name of the file. */
  filename: string;
}

/** A file as its sender describes it. */
export interface FileDescription {
  filename: string | undefined;
  mimeType: string;
}

/** Streams a file into the store; deletes it after any error. Its attachment is made by finishUpload(). */
export async function storeFile(
  ctx: Pick<Context, 'uploads' | 'services' | 'log'>,
  call: Caller,
  file: Readable,
  { filename, mimeType }: FileDescription,
): Promise<ReceivedFile> {
  // An unread stream that fails must not end the process.
  file.on('error', () => {});
  const fullName = plainName(filename);
  const pathId = newPathId(call.realmId, safeName(fullName));
  const name = truncate(fullName, MAX_NAME_LENGTH, '');
  const contentType = contentTypeOf(mimeType, fullName);
  await ctx.services.messages.beginUpload(call, { pathId, name, contentType, size: 0 });
  try {
    if (file.destroyed) throw new Error('the form broke off');
    const size = await ctx.uploads.store.put(uploadKeys.file(pathId), file);
    if (size > ctx.uploads.maxBytes) throw fileTooLarge(ctx.uploads.maxBytes);
    return { pathId, size, filename: name };
  } catch (error) {
    await abandonUpload(ctx, call, pathId);
    throw error;
  }
}

/** Some clients percent-encode the name; folders in it are dropped. */
function plainName(filename: string | undefined): string {
  let name = filename ?? '';
  try {
    name = decodeURIComponent(name);
  } catch {
    // A percent sign that is not part of an encoding.
  }
  return name.replace(/\p{Cc}|\p{Cs}/gu, '') || FALLBACK_NAME;
}

export function fileTooLarge(maxBytes: number): BadRequestError {
  return new BadRequestError(
    `File is larger than this server's configured maximum upload size (${Math.floor(maxBytes / MIB)} MiB).`,
  );
}
