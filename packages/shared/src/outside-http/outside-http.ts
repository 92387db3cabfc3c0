// NOTE: based on node:http, because undici would need the same checks of addresses (in `connect.lookup`) and redirects and the
// same limits, and its advantage, kept connections, is not wanted here.

import http, { type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import type { AllowList } from './allow-list';
import { checkedLookup, checkHost, OutsideError, type Resolve, systemResolve } from './checked-lookup';

export interface OutsideRequest {
  url: string;
  method?: 'GET' | 'POST';
  headers?: Readonly<Record<string, string>>;
  body?: string | Buffer;
  /** From the first lookup to the last byte, redirects included. */
  timeoutMs: number;
  /** Maximum size of the answer's body. */
  maxBytes: number;
  /** A larger answer is an error, unless its beginning suffices. */
  isBeginningEnough?: boolean;
  /** Maximum number of redirects followed, for GET; by default none: a redirect is returned like other answers. */
  maxRedirects?: number;
  signal?: AbortSignal;
}

export interface OutsideAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** The final address. */
  url: string;
}

/** Sends requests to addresses given by users. Rejects with OutsideError if there is no answer. */
export type OutsideHttp = (request: OutsideRequest) => Promise<OutsideAnswer>;

export interface OutsideHttpOptions {
  allow: AllowList;
  resolve?: Resolve;
}

const MAX_URL_LENGTH = 4_096;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** The allowed addresses, and the lookup of host names that enforces them. */
interface Reachable {
  allow: AllowList;
  lookup: LookupFunction;
}

/**
 * The only client for addresses given by users. It reaches the public internet and the operator's exceptions, by the address
 * of the connection, not by an earlier lookup; http and https only, without credentials in the address, each redirect
 * checked like the first address, limited in time and size. Connections are not kept.
 */
export function createOutsideHttp({ allow, resolve = systemResolve }: OutsideHttpOptions): OutsideHttp {
  const reachable = { allow, lookup: checkedLookup(resolve, allow) };
  return async (request) => {
    const timeout = AbortSignal.timeout(request.timeoutMs);
    const signal = request.signal ? AbortSignal.any([timeout, request.signal]) : timeout;
    try {
      return await follow(reachable, request, signal);
    } catch (error) {
      if (error instanceof OutsideError) throw error;
      if (timeout.aborted) throw new OutsideError('timeout', `no answer within ${request.timeoutMs} ms`);
      throw new OutsideError('no-connection', (error as Error).message, { cause: error });
    }
  };
}

async function follow(
  { allow, lookup }: Reachable,
  request: OutsideRequest,
  signal: AbortSignal,
): Promise<OutsideAnswer> {
  const { maxRedirects = 0 } = request;
  let url = parseUrl(request.url);
  for (let followed = 0; ; followed += 1) {
    checkHost(url, allow);
    const response = await open(url, request, { lookup, signal });
    const location = maxRedirects === 0 ? null : redirectOf(response, request);
    if (location === null) return read(response, url, request);
    response.destroy();
    if (followed === maxRedirects) throw new OutsideError('too-many-redirects', `more than ${maxRedirects} redirects`);
    url = parseUrl(location, url);
  }
}

function open(
  url: URL,
  { method = 'GET', headers = {}, body }: OutsideRequest,
  connecting: { lookup: LookupFunction; signal: AbortSignal },
): Promise<IncomingMessage> {
  const { request: send } = url.protocol === 'https:' ? https : http;
  return new Promise((resolve, reject) => {
    const outgoing = send(url, { method, agent: false, ...connecting, headers: { ...headers } });
    outgoing.on('response', resolve);
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

function parseUrl(text: string, base?: URL): URL {
  const url = text.length <= MAX_URL_LENGTH && URL.canParse(text, base?.href) ? new URL(text, base) : null;
  if (url === null || !['http:', 'https:'].includes(url.protocol)) throw badUrl('is no address of http or https');
  if (url.username !== '' || url.password !== '') throw badUrl('has credentials in it');
  return url;
}

const badUrl = (what: string) => new OutsideError('bad-url', `the address ${what}`);

function redirectOf({ statusCode = 0, headers }: IncomingMessage, { method = 'GET' }: OutsideRequest): string | null {
  return method === 'GET' && REDIRECTS.has(statusCode) ? (headers.location ?? null) : null;
}

async function read(response: IncomingMessage, url: URL, request: OutsideRequest): Promise<OutsideAnswer> {
  const { maxBytes, isBeginningEnough = false } = request;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    // Leaving the loop closes the connection.
    if (size > maxBytes) break;
  }
  if (size > maxBytes && !isBeginningEnough) throw new OutsideError('too-large', `more than ${maxBytes} bytes`);
  const body = Buffer.concat(chunks).subarray(0, maxBytes);
  return { status: response.statusCode as number, headers: response.headers, body, url: url.href };
}
