import { STATUS_CODES } from 'node:http';
import type { Readable } from 'node:stream';
import { PublicError } from '@parley/shared/errors';
import { branded, sentNames } from './brands';
import { JsonPieces } from './json-pieces';

export interface Answer {
  status: number;
  /** Empty: the answer has no body. */
  body: string | Uint8Array | JsonPieces | Readable;
  headers?: Record<string, string>;
}

/** Members of every success answer, besides an endpoint's own: one may have its own `msg`. */
const SUCCESS = '{"result":"success","msg":""';
const BASIC = 'Basic realm="parley"';
/** Services reconnect more often; many clients should not. */
const RETRY_AFTER_SECS = '2';

/** `brands`: of the members whose names carry a brand; absent: there are none. */
export function success(members: Record<string, unknown>, brands: readonly string[] = []): Answer {
  const isWritten = Object.values(members).some(isPrepared);
  if (isWritten) return { status: 200, body: inPieces(members, brands) };
  return { status: 200, body: `${opened(brands.length > 0 ? branded(members, brands) : members)}}` };
}

/** NOTE: as text, because spreading many members takes longer than writing them. */
function opened(members: Record<string, unknown>): string {
  const text = JSON.stringify(members).slice(1, -1);
  return text === '' ? openingOf(members) : `${openingOf(members)},${text}`;
}

function openingOf(members: Record<string, unknown>): string {
  return members['msg'] === undefined ? SUCCESS : '{"result":"success"';
}

function isPrepared(value: unknown): value is JsonPieces {
  return value instanceof JsonPieces;
}

/** NOTE: member by member, as POST /register has hundreds: copies of such an object take longer than writing it. */
function inPieces(members: Record<string, unknown>, brands: readonly string[]): JsonPieces {
  const pieces: Uint8Array[] = [];
  let [text, freshBytes] = [openingOf(members), 0];
  for (const name in members) {
    const value = members[name];
    const json = isPrepared(value) ? value : JSON.stringify(value);
    if (json === undefined) continue;
    for (const sent of sentNames(name, brands)) {
      text += `,"${sent}":`;
      if (typeof json === 'string') text += json;
      else {
        pieces.push(Buffer.from(text), ...json.pieces);
        text = '';
        freshBytes += json.freshBytes;
      }
    }
  }
  pieces.push(Buffer.from(`${text}}`));
  return new JsonPieces(pieces, freshBytes);
}

/** A success answer with one member that is serialized already, and short. */
export function successWith(name: string, json: Uint8Array, members: Record<string, unknown>): Answer {
  const head = Buffer.from(`${opened(members)},"${name}":`);
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
