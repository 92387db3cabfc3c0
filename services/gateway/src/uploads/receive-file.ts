import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { BadRequestError } from '@parley/shared/errors';
import busboy, { type Busboy } from 'busboy';
import type { Context } from '../context';
import type { UserRequest } from '../http/endpoint';
import { unsupportedType } from '../http/read-form';
import { abandonUpload } from './abandon-upload';
import { boundBody, MAX_DROPPED_BYTES } from './drop-rest';
import { type ReceivedFile, storeFile } from './store-file';

const MAX_PARTS = 20;
const MAX_FIELD_BYTES = 64 * 1024;

/** Streams the only file of a multipart form into the store; deletes it after any error. */
export async function receiveFile(ctx: Context, request: UserRequest): Promise<ReceivedFile> {
  const form = parserOf(request, ctx.uploads.maxBytes);
  const storing: Promise<ReceivedFile>[] = [];
  form.on('file', (_field, file, info) => {
    const isFirst = storing.length === 0;
    const stored = isFirst ? storeFile(ctx, request.call, file, info) : Promise.reject(tooManyFiles());
    // Unwanted parts are read, too, to get to the following ones; a part that the store has given up cannot be.
    stored.catch((error) => (file.destroyed ? form.destroy(error as Error) : file.resume()));
    storing.push(stored);
  });
  const names: string[] = [];
  form.on('field', (name) => names.push(name));
  boundBody(request.body, ctx.uploads.maxBytes + MAX_DROPPED_BYTES);
  const [parsed] = await Promise.allSettled([parse(request.body, form)]);
  request.streamedNames = names;
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

/** NOTE: pipeline() would destroy the request after an error, and its connection could not be used again. */
async function parse(body: Readable, form: Busboy): Promise<void> {
  body.once('close', () => {
    if (!body.readableEnded) form.destroy();
  });
  body.pipe(form);
  try {
    await finished(form);
  } catch (error) {
    body.unpipe(form).resume();
    throw error;
  }
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
  const notStored = first?.status === 'rejected' ? (first.reason as unknown) : null;
  if (parsed.status === 'rejected') return parsed.reason === notStored ? notStored : malformed(parsed.reason as Error);
  if (first === undefined) return noFile();
  return otherFiles > 0 ? tooManyFiles() : notStored;
}

const noFile = () => new BadRequestError('You must specify a file to upload');
const tooManyFiles = () => new BadRequestError('You may only upload one file at a time');
const malformed = ({ message }: Error) => new BadRequestError(`Malformed form: ${message}`);
