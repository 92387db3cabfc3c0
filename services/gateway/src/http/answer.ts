import { STATUS_CODES } from 'node:http';
import type { Readable } from 'node:stream';
import { PublicError } from '@parley/shared/errors';
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

export function success(members: Record<string, unknown>): Answer {
  const isWritten = Object.values(members).some(isPrepared);
  return { status: 200, body: isWritten ? inPieces(members) : `${opened(members)}}` };
}

/** NOTE: as text, because spreading many members takes longer than writing them. */
function opened(members: Record<string, unknown>): string {
  const success = members['msg'] === undefined ? SUCCESS : '{"result":"success"';
  const text = JSON.stringify(members).slice(1, -1);
  return text === '' ? success : `${success},${text}`;
}

function isPrepared(value: unknown): value is JsonPieces {
  return value instanceof JsonPieces;
}

/** Members that are serialized already come last: they are written as they are. */
function inPieces(members: Record<string, unknown>): JsonPieces {
  const [written, others] = [new Map<string, JsonPieces>(), {} as Record<string, unknown>];
  for (const [name, value] of Object.entries(members)) {
    if (isPrepared(value)) written.set(name, value);
    else others[name] = value;
  }
  const pieces: Uint8Array[] = [Buffer.from(opened(others))];
  for (const [name, json] of written) pieces.push(Buffer.from(`,${JSON.stringify(name)}:`), ...json.pieces);
  pieces.push(Buffer.from('}'));
  return new JsonPieces(
    pieces,
    [...written.values()].reduce((sum, { freshBytes }) => sum + freshBytes, 0),
  );
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
