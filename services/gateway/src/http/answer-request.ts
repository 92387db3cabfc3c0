import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import { PublicError, ServiceUnavailableError } from '@parley/shared/errors';
import type { Logger } from '@parley/shared/service';
import type { RateLimitStatus } from '../rate-limits/buckets';
import { type Answer, failure, InternalError } from './answer';
import { Deferred } from './deferred';
import { EVENTS_PATH } from './endpoint';
import { errorPage, wantsPage } from './error-page';
import { Exchange } from './exchange';
import { asksForCredentials } from './foreign-sites';
import { noteWritten } from './free-answers';
import { byteLengthOf, chunksOf, JsonPieces } from './json-pieces';
import { CORS_HEADERS, PREFLIGHT_HEADERS, SECURITY_HEADERS } from './security-headers';
import { isJson } from './sessions';
import { traceExchange } from './trace-exchange';

const EVENTS_METHODS = 'OPTIONS, GET, DELETE';
const METHODS = 'GET, POST, DELETE, PUT, PATCH, HEAD';
/** Headers of every answer. */
const HEADERS = {
  ...SECURITY_HEADERS,
  'Cache-Control': 'max-age=0, no-cache, no-store, must-revalidate, private',
  ...CORS_HEADERS,
  Vary: 'Authorization',
};
/** The same, names and values in turn. NOTE: Node writes such a list in a fraction of the time that an object needs. */
const HEADER_LIST = Object.entries(HEADERS).flat();
/** The client hung up before the answer; this status is only logged. */
const CLIENT_CLOSED_REQUEST = 499;

/**
 * The common part of all requests: creates the exchange, renders errors, writes the answer and the log
 * line. Never rejects.
 */
export function answerRequest(log: Logger, req: IncomingMessage, res: ServerResponse, work: Work): Promise<void> {
  const exchange = new Exchange(req, res);
  return traceExchange(exchange, () => answerExchange(log, exchange, work));
}

type Work = (exchange: Exchange) => Promise<Answer | Deferred<Answer>> | Answer;

async function answerExchange(log: Logger, exchange: Exchange, work: Work): Promise<void> {
  let answer: Answer | Deferred<Answer>;
  try {
    answer = await work(exchange);
  } catch (error) {
    answer = render(error, exchange, log);
  }
  if (answer instanceof Deferred) finishLater(log, exchange, answer);
  else finish(log, exchange, answer);
}

function finishLater(log: Logger, exchange: Exchange, deferred: Deferred<Answer>): void {
  exchange.forgetHeaders();
  deferred.start((answer) => finish(log, exchange, answer instanceof Error ? render(answer, exchange, log) : answer));
}

function finish(log: Logger, exchange: Exchange, answer: Answer): void {
  const isWritten = write(exchange, answer);
  const status = isWritten ? answer.status : CLIENT_CLOSED_REQUEST;
  exchange.status = status;
  exchange.durations.since(exchange.startedAtMs, status);
  logRequest(log, exchange, status);
}

function render(thrown: unknown, exchange: Exchange, log: Logger): Answer {
  const error = isDiskFull(thrown) ? diskFull(thrown) : thrown;
  if (error instanceof ServiceUnavailableError && error.cause) {
    log.warn({ err: error.cause, requestId: exchange.call.requestId }, 'request failed');
  }
  if (error instanceof PublicError) return rendered(error, exchange);
  log.error({ err: error, requestId: exchange.call.requestId }, 'request failed');
  return rendered(new InternalError(), exchange);
}

function rendered(error: PublicError, exchange: Exchange): Answer {
  return wantsPage(exchange) ? errorPage(error, exchange) : failure(error);
}

const isDiskFull = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '');

/** For interrupted uploads: the client may retry. */
function diskFull(cause: Error): ServiceUnavailableError {
  return Object.assign(new ServiceUnavailableError(), { cause: new Error('the disk of DATA_DIR is full', { cause }) });
}

function write(
  { req, res, path, call, rateLimitStatus, cookies }: Exchange,
  { status, body, headers }: Answer,
): boolean {
  if (res.destroyed || res.headersSent) {
    if (body instanceof Readable) body.destroy();
    return false;
  }
  if (status === 401 && (isJson(req) || !asksForCredentials(req))) headers = withoutAsking(headers);
  const bytes = lengthOf(body);
  const list = [...HEADER_LIST, 'X-Request-Id', call.requestId];
  list.push('Access-Control-Allow-Methods', path === EVENTS_PATH ? EVENTS_METHODS : METHODS);
  if (bytes > 0) list.push('Content-Type', 'application/json', 'Content-Length', String(bytes));
  if (rateLimitStatus) list.push(...limitHeaders(rateLimitStatus));
  if (cookies.length > 0) list.push(...cookies.flatMap((cookie) => ['Set-Cookie', cookie]));
  const own = res.req.method === 'OPTIONS' ? { ...PREFLIGHT_HEADERS, ...headers } : headers;
  res.writeHead(status, own ? withOwn(list, own) : list);
  if (body instanceof Readable) pass(body, res);
  else if (body instanceof JsonPieces) {
    writeInTurns(res, chunksOf(body.pieces));
    noteWritten(body.freshBytes);
  } else res.end(body);
  return true;
}

/** In bytes; 0: unknown, or none. */
function lengthOf(body: Answer['body']): number {
  if (body instanceof JsonPieces) return byteLengthOf(body.pieces);
  return body instanceof Readable ? 0 : Buffer.byteLength(body);
}

function withoutAsking({ 'WWW-Authenticate': _, ...rest }: Record<string, string> = {}): Record<string, string> {
  return rest;
}

function limitHeaders({ limit, remaining, fullAtMs }: RateLimitStatus): string[] {
  return [
    'X-RateLimit-Limit',
    String(limit),
    'X-RateLimit-Remaining',
    String(remaining),
    'X-RateLimit-Reset',
    String(Math.ceil(fullAtMs / 1000)),
  ];
}

/** An answer's own headers replace those of every answer. */
function withOwn(list: readonly string[], own: Readonly<Record<string, string>>): string[] {
  const merged = Object.entries(own).flat();
  for (let at = 0; at < list.length; at += 2) {
    const name = list[at] as string;
    if (!(name in own)) merged.push(name, list[at + 1] as string);
  }
  return merged;
}

/** If a source fails, the connection is closed, so that the client does not take a part for the whole. */
function pass(source: Readable, res: ServerResponse): void {
  if (res.req.method === 'HEAD') {
    source.destroy();
    res.end();
  } else pipeline(source, res, () => {});
}

/** Bytes that are written before waiting until the client has read them. */
const TURN_BYTES = 1024 * 1024;

/** NOTE: a stream that reads the chunks one by one would take most of the time that this answer costs. */
function writeInTurns(res: ServerResponse, chunks: Iterator<Uint8Array>): void {
  let bytes = 0;
  for (let next = chunks.next(); !next.done; next = chunks.next()) {
    const isFull = !res.write(next.value);
    bytes += next.value.length;
    if (isFull && bytes >= TURN_BYTES) {
      res.once('drain', () => writeInTurns(res, chunks));
      return;
    }
  }
  res.end();
}

function logRequest(log: Logger, exchange: Exchange, status: number): void {
  const { req, path, loggedPath, isProbe, call, startedAtMs } = exchange;
  if (isProbe || !log.isLevelEnabled('info')) return;
  const ms = Math.round((performance.now() - startedAtMs) * 10) / 10;
  const caller = 'userId' in call ? { realmId: call.realmId, userId: call.userId } : {};
  log.info(
    { method: req.method, path: loggedPath ?? path, status, ms, requestId: call.requestId, ...caller },
    'request',
  );
}
