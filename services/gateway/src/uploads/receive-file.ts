import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { BadRequestError } from '@parley/shared/errors';
import busboy, { type Busboy } from 'busboy';
import type { Context } from '../context';
import type { UserRequest } from '../http/endpoint';
import { unsupportedType } from '../http/read-form';
import { abandonUpload } from './abandon-upload';
import { type ReceivedFile, storeFile } from './store-file';

const MAX_PARTS = 20;
const MAX_FIELD_BYTES = 64 * 1024;
const MIB = 1024 * 1024;
/** Amount beyond the largest file that is read and dropped, so that its sender gets the answer. */
const MAX_DROPPED_BYTES = 64 * MIB;

/** Streams the only file of a multipart form into the store; deletes it after any error. */
export async function receiveFile(ctx: Context, request: UserRequest): Promise<ReceivedFile> {
  const form = parserOf(request, ctx.uploads.maxBytes);
  const storing: Promise<ReceivedFile>[] = [];
  form.on('file', (_field, file, info) => {
    const isFirst = storing.length === 0;
    const stored = isFirst ? storeFile(ctx, request.call, file, info) : Promise.reject(tooManyFiles());
    // Unwanted parts are read, too, to get to the following ones.
    stored.catch(() => file.resume());
    storing.push(stored);
  });
  boundBody(request.body, ctx.uploads.maxBytes + MAX_DROPPED_BYTES);
  const [parsed] = await Promise.allSettled([pipeline(request.body, form)]);
  const results = await Promise.allSettled(storing);
  return theOnly(ctx, request, parsed, results);
}

function parserOf(request: UserRequest, maxBytes: number): Busboy {
  const contentType = request.header('content-type') ?? '';
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (type !== 'multipart/form-data') throw /^$|urlencoded$/.test(type) ? noFile() : unsupportedType(type);
  try {
    return busboy({
      headers: { 'content-type': contentType },
      defParamCharset: 'utf8',
      // One byte more than allowed, to tell too large files from the largest.
      limits: { fileSize: maxBytes + 1, parts: MAX_PARTS, fieldSize: MAX_FIELD_BYTES },
    });
  } catch (error) {
    throw malformed(error as Error);
  }
}

function boundBody(body: Readable, maxBytes: number): void {
  let size = 0;
  body.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > maxBytes) body.destroy();
  });
}

/** The form's only file; throws otherwise. */
async function theOnly(
  ctx: Context,
  { call }: UserRequest,
  parsed: PromiseSettledResult<void>,
  [first, ...others]: PromiseSettledResult<ReceivedFile>[],
): Promise<ReceivedFile> {
  const failure = failureOf(parsed, first, others.length);
  if (failure === null && first?.status === 'fulfilled') return first.value;
  if (first?.status === 'fulfilled') await abandonUpload(ctx, call, first.value.pathId);
  throw failure;
}

function failureOf(
  parsed: PromiseSettledResult<void>,
  first: PromiseSettledResult<ReceivedFile> | undefined,
  otherFiles: number,
): unknown {
  if (parsed.status === 'rejected') return malformed(parsed.reason as Error);
  if (first === undefined) return noFile();
  if (otherFiles > 0) return tooManyFiles();
  return first.status === 'rejected' ? first.reason : null;
}

const noFile = () => new BadRequestError('You must specify a file to upload');
const tooManyFiles = () => new BadRequestError('You may only upload one file at a time');
const malformed = ({ message }: Error) => new BadRequestError(`Malformed form: ${message}`);
