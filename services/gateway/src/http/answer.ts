import { STATUS_CODES } from 'node:http';
import type { Readable } from 'node:stream';
import { PublicError } from '@parley/shared/errors';

export interface Answer {
  status: number;
  /** Empty: the answer has no body. */
  body: string | Uint8Array | Readable;
  headers?: Record<string, string>;
}

/** What every success answer has, beside an endpoint's own members. */
const SUCCESS = { result: 'success', msg: '' };
const BASIC = 'Basic realm="parley"';

export function success(members: Record<string, unknown>): Answer {
  return { status: 200, body: JSON.stringify({ ...SUCCESS, ...members }) };
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
  return status === 429
    ? { status, body, headers: { 'Retry-After': String(fields['retry-after']) } }
    : { status, body };
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
