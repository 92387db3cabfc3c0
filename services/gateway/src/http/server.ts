import http, { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import net, { type AddressInfo, type Socket } from 'node:net';
import { rawFailure } from './answer';
import { MAX_HEADER_BYTES, MAX_HEADERS_MS, MAX_REQUEST_MS } from './bounds';
import type { RequestHandler } from './handle-request';
import type { PathTable } from './path-table';
import { takeJsonPrefix } from './sessions';

/** Longer than the idle timeout of usual load balancers, which must not reuse a connection that is being closed. */
const KEEP_ALIVE_MS = 75_000;
/** Time that a stopping gateway waits for requests in transit on connections which seem idle. */
const IDLE_GRACE_MS = 2_000;

export interface HttpServer {
  listen(port: number, host: string): Promise<string>;
  /** No new connections; every answer from now on closes its connection, so that no connection is reset during a request. */
  stopAccepting(): void;
  /** Resolves when all connections have ended; ends idle ones after a while, all after `graceMs`. */
  drain(graceMs: number): Promise<void>;
}

export interface HttpServerOptions {
  /** Paths of the API. */
  paths: PathTable<RequestHandler>;
  other: (req: IncomingMessage, res: ServerResponse) => void;
}

/** A bare HTTP server: requests for other paths go to `other`. */
export function createHttpServer({ paths, other }: HttpServerOptions): HttpServer {
  const inFlight = new Set<ServerResponse>();
  // One function for all, because thousands of requests are pending.
  function forget(this: ServerResponse) {
    inFlight.delete(this);
  }
  let isStopping = false;
  const server = createBareServer((req, res) => {
    if (isStopping) res.setHeader('Connection', 'close');
    inFlight.add(res);
    req.url = originForm(req.url as string);
    takeJsonPrefix(req);
    res.on('close', forget);
    const found = paths.find(pathOf(req.url));
    if (found) void found.target(req, res, found.parameters);
    else other(req, res);
  });
  let closed = Promise.resolve();
  return {
    listen: (port, host) => listen(server, port, host),
    stopAccepting() {
      isStopping = true;
      // NOTE: not HTTP's own close(), which ends idle connections at once.
      closed = new Promise((resolve) => net.Server.prototype.close.call(server, () => resolve()));
      for (const res of inFlight) if (!res.headersSent) res.setHeader('Connection', 'close');
    },
    async drain(graceMs) {
      const timers = [
        setTimeout(() => server.closeIdleConnections(), IDLE_GRACE_MS),
        setTimeout(() => server.closeAllConnections(), graceMs),
      ];
      await closed;
      for (const timer of timers) clearTimeout(timer);
      // Stops HTTP's periodic check of connections, which would keep the stopped server in memory.
      server.close(() => {});
    },
  };
}

function createBareServer(onRequest: HttpServerOptions['other']): Server {
  // The Host header is checked with the request, where an error can be answered.
  const server = http.createServer({ maxHeaderSize: MAX_HEADER_BYTES, requireHostHeader: false }, onRequest);
  server.requestTimeout = MAX_REQUEST_MS;
  server.headersTimeout = MAX_HEADERS_MS;
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.on('clientError', answerClientError);
  server.on('checkExpectation', (_req, res: ServerResponse) => res.socket?.end(rawFailure(417)));
  return server;
}

/** `http://host/path`, a form that proxies may send, is `/path`. */
function originForm(url: string): string {
  return url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?]*\/?/i, '/');
}

function pathOf(url: string): string {
  const mark = url.indexOf('?');
  return mark < 0 ? url : url.slice(0, mark);
}

function listen(server: Server, port: number, host: string): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      const address = server.address() as AddressInfo;
      resolve(`${host.includes(':') ? `[${host}]` : host}:${address.port}`);
    });
  });
}

const STATUS_OF: Record<string, number> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** Answers malformed HTTP. */
function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
  else socket.end(rawFailure(STATUS_OF[error.code ?? ''] ?? 400));
}
