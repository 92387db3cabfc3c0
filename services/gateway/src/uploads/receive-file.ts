import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { BadRequestError } from '@parley/shared/errors';
import { truncate } from '@parley/shared/values';
import busboy, { type Busboy, type FileInfo } from 'busboy';
import type { Context } from '../context';
import type { UserRequest } from '../http/endpoint';
import { unsupportedType } from '../http/read-form';
import { abandonUpload } from './abandon-upload';
import { contentTypeOf } from './content-type';
import type { Incoming } from './finish-upload';
import { FALLBACK_NAME, newPathId, safeName } from './path-id';
import { uploadKeys } from './upload-store';

const MAX_NAME_LENGTH = 255;
const MAX_PARTS = 20;
const MAX_FIELD_BYTES = 64 * 1024;
const MIB = 1024 * 1024;
/** Amount beyond the largest file that is read and dropped, so that its sender gets the answer. */
const MAX_DROPPED_BYTES = 64 * MIB;

export interface ReceivedFile extends Incoming {
  /** The sender's name of the file. */
  filename: string;
}

type FileStream = Readable & { truncated?: boolean };

/** Streams the only file of a multipart form into the store; deletes it after any error. */
export async function receiveFile(ctx: Context, request: UserRequest): Promise<ReceivedFile> {
  const form = parserOf(request, ctx.uploads.maxBytes);
  const storing: Promise<ReceivedFile>[] = [];
  form.on('file', (_field, file, info) => {
    const isFirst = storing.length === 0;
    const stored = isFirst ? storeFile(ctx, request, file, info) : Promise.reject(tooManyFiles());
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

async function storeFile(
  ctx: Context,
  { call }: UserRequest,
  file: FileStream,
  { filename, mimeType }: FileInfo,
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

export function fileTooLarge(maxBytes: number): BadRequestError {
  return new BadRequestError(
    `File is larger than this server's configured maximum upload size (${Math.floor(maxBytes / MIB)} MiB).`,
  );
}
