import { type Answer, PathNotFoundError } from '../http/answer';
import { isShownInline } from './content-type';
import type { TemporaryFile } from './temporary-token';
import { type ByteRange, type UploadStore, uploadKeys } from './upload-store';

export interface Served extends TemporaryFile {
  isDownload: boolean;
  /** The request's Range. */
  range: string | undefined;
}

/** Only in the browser's own cache, and there forever: the bytes of an address never change. */
export const PRIVATE = 'private, immutable';

/** Serves a file, or a part of it, such that browsers never treat it as a page of ours. */
export async function serveFile(store: UploadStore, file: Served): Promise<Answer> {
  const range = rangeOf(file.range, file.size);
  if (range === 'unsatisfiable') return unsatisfiable(file.size);
  const body = await store.get(uploadKeys.file(file.pathId), range);
  if (body === null) throw new PathNotFoundError();
  const { start, end } = range ?? { start: 0, end: file.size - 1 };
  return {
    status: range ? 206 : 200,
    body,
    headers: {
      ...safetyHeaders(file),
      'Accept-Ranges': 'bytes',
      'Content-Length': String(end - start + 1),
      ...(range && { 'Content-Range': `bytes ${start}-${end}/${file.size}` }),
    },
  };
}

function safetyHeaders({ contentType, isDownload, pathId }: Served): Record<string, string> {
  const isInline = isShownInline(contentType) && !isDownload;
  const name = pathId.slice(pathId.lastIndexOf('/') + 1);
  return {
    'Content-Type': contentType,
    'Content-Disposition': `${isInline ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeName(name)}`,
    'Cache-Control': PRIVATE,
    // A sandbox would prevent browsers from showing PDF files, which cannot run scripts.
    'Content-Security-Policy': `default-src 'none'; style-src 'self' 'unsafe-inline'; img-src 'self'; object-src 'self'; media-src 'self'${isInline ? '' : '; sandbox'}`,
    'Cross-Origin-Resource-Policy': 'same-site',
  };
}

/** In the form of RFC 8187. */
function encodeName(name: string): string {
  return encodeURIComponent(name).replace(/['()*]/g, (found) => `%${found.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** One range is served; for other headers the whole file. */
function rangeOf(header: string | undefined, size: number): ByteRange | undefined | 'unsatisfiable' {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  if (first === '') {
    return Number(last) === 0 || size === 0
      ? 'unsatisfiable'
      : { start: Math.max(0, size - Number(last)), end: size - 1 };
  }
  const range = { start: Number(first), end: last === '' ? size - 1 : Math.min(Number(last), size - 1) };
  if (last !== '' && Number(last) < range.start) return undefined;
  return range.start >= size ? 'unsatisfiable' : range;
}

function unsatisfiable(size: number): Answer {
  return { status: 416, body: '', headers: { 'Content-Range': `bytes */${size}` } };
}
