import { STATUS_CODES } from 'node:http';
import type { Readable } from 'node:stream';
import { PublicError } from '@parley/shared/errors';
import { byteLengthOf, JsonPieces } from './json-pieces';

export interface Answer {
  status: number;
  /** Empty: the answer has no body. */
  body: string | Uint8Array | JsonPieces | Readable;
  headers?: Record<string, string>;
}

/** Members of every success answer, besides an endpoint's own. */
const SUCCESS = { result: 'success', msg: '' };
const BASIC = 'Basic realm="parley"';
/** Services reconnect more often; many clients should not. */
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

/** Answers up to this size are copied and written at once. */
const SHORT_BYTES = 256 * 1024;

/** Written as fast as the client reads; parts shared by many answers are in memory once. */
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
  return { status: 200, body: new JsonPieces(pieces), headers };
}

/** A success answer with one member that is serialized already. */
export function successWith(name: string, json: Uint8Array, members: Record<string, unknown>): Answer {
  const head = Buffer.from(`${JSON.stringify({ ...SUCCESS, ...members }).slice(0, -1)},"${name}":`);
  return { status: 200, body: Buffer.concat([head, json, Buffer.from('}')]) };
}

export function redirect(location: string): Answer {
  return { status: 302, body: '', headers: { Location: location } };
}

/** To a page, after a form was sent. */
export function seeOther(location: string): Answer {
  return { status: 303, body: '', headers: { Location: location } };
}

export function failure(error: PublicError): Answer {
  const { httpStatus: status, message: msg, code, fields } = error;
  const body = JSON.stringify({ result: 'error', msg, code, ...fields });
  if (status === 401) return { status, body, headers: { 'WWW-Authenticate': BASIC } };
  return { status, body, headers: headersOf(error) };
}

/** Fields of errors that are repeated as headers. */
export function headersOf({ httpStatus, fields }: PublicError): Record<string, string> {
  if (httpStatus === 405) return { Allow: (fields['allowed_methods'] as readonly string[]).join(', ') };
  if (httpStatus === 429) return { 'Retry-After': String(fields['retry-after']) };
  return httpStatus === 503 ? { 'Retry-After': RETRY_AFTER_SECS } : {};
}

/** An internal error, without details. */
export class InternalError extends PublicError {
  constructor() {
    super('INTERNAL_SERVER_ERROR', 500, 'Internal server error');
  }
}

/** There is nothing at the requested path. */
export class PathNotFoundError extends PublicError {
  constructor() {
    super('BAD_REQUEST', 404, 'Not Found');
  }
}

export class MethodNotAllowedError extends PublicError {
  constructor(allowed: readonly string[]) {
    super('BAD_REQUEST', 405, 'Method Not Allowed', { allowed_methods: allowed });
  }
}

export function allowedMethods(allowed: readonly string[]): Answer {
  return { status: 204, body: '', headers: { Allow: allowed.join(', ') } };
}

/** For errors before there is a request, written to the bare socket. */
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
