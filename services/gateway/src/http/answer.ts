import { STATUS_CODES } from 'node:http';
import { Readable } from 'node:stream';
import { PublicError } from '@parley/shared/errors';
import { byteLengthOf, chunksOf, JsonPieces } from './json-pieces';

export interface Answer {
  status: number;
  /** Empty: the answer has no body. */
  body: string | Uint8Array | Readable;
  headers?: Record<string, string>;
}

/** What every success answer has, beside an endpoint's own members. */
const SUCCESS = { result: 'success', msg: '' };
const BASIC = 'Basic realm="parley"';
/** What is away is looked for again sooner; so many clients are not. */
const RETRY_AFTER_SECS = '2';

export function success(members: Record<string, unknown>): Answer {
  const prepared = Object.entries(members).filter((member): member is [string, JsonPieces] => isPrepared(member[1]));
  if (prepared.length === 0) return { status: 200, body: JSON.stringify({ ...SUCCESS, ...members }) };
  const rest = Object.fromEntries(Object.entries(members).filter(([, value]) => !isPrepared(value)));
  return inPieces(prepared, rest);
}

function isPrepared(value: unknown): value is JsonPieces {
  return value instanceof JsonPieces;
}

/** What is no longer than this is copied and written at once. */
const SHORT_BYTES = 256 * 1024;

/** It is written as fast as the client reads it: what is shared by many answers is held once, whatever their number. */
function inPieces(prepared: readonly [string, JsonPieces][], rest: Record<string, unknown>): Answer {
  const pieces: Uint8Array[] = [Buffer.from(JSON.stringify({ ...SUCCESS, ...rest }).slice(0, -1))];
  for (const [name, json] of prepared) {
    pieces.push(Buffer.from(`,${JSON.stringify(name)}:`));
    for (const piece of json.pieces) pieces.push(piece);
  }
  pieces.push(Buffer.from('}'));
  const bytes = byteLengthOf(pieces);
  if (bytes <= SHORT_BYTES) return { status: 200, body: Buffer.concat(pieces, bytes) };
  const headers = { 'Content-Type': 'application/json', 'Content-Length': String(bytes) };
  return { status: 200, body: Readable.from(chunksOf(pieces), { objectMode: false }), headers };
}

/** A success answer with one member that is JSON already. */
export function successWith(name: string, json: Uint8Array, members: Record<string, unknown>): Answer {
  const head = Buffer.from(`${JSON.stringify({ ...SUCCESS, ...members }).slice(0, -1)},"${name}":`);
  return { status: 200, body: Buffer.concat([head, json, Buffer.from('}')]) };
}

export function redirect(location: string): Answer {
  return { status: 302, body: '', headers: { Location: location } };
}

export function failure(error: PublicError): Answer {
  const { httpStatus: status, message: msg, code, fields } = error;
  const body = JSON.stringify({ result: 'error', msg, code, ...fields });
  if (status === 401) return { status, body, headers: { 'WWW-Authenticate': BASIC } };
  return { status, body, headers: headersOf(error) };
}

/** What the headers repeat of an error. */
export function headersOf({ httpStatus, fields }: PublicError): Record<string, string> {
  if (httpStatus === 429) return { 'Retry-After': String(fields['retry-after']) };
  return httpStatus === 503 ? { 'Retry-After': RETRY_AFTER_SECS } : {};
}

/** The answer to a fault of our own, which says nothing of what it was. */
export function internalError(): Answer {
  return failure(new PublicError('INTERNAL_SERVER_ERROR', 500, 'Internal server error'));
}

export function notFound(): Answer {
  return failure(new PublicError('BAD_REQUEST', 404, 'Not Found'));
}

export function methodNotAllowed(allowed: readonly string[]): Answer {
  const refusal = failure(new PublicError('BAD_REQUEST', 405, 'Method Not Allowed', { allowed_methods: allowed }));
  return { ...refusal, headers: { Allow: allowed.join(', ') } };
}

export function allowedMethods(allowed: readonly string[]): Answer {
  return { status: 204, body: '', headers: { Allow: allowed.join(', ') } };
}

/** For what goes wrong before there is a request, on the bare socket. */
export function rawFailure(status: number): string {
  const body = String(failure(new PublicError('BAD_REQUEST', status, STATUS_CODES[status] as string)).body);
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
