import type { IncomingMessage, ServerResponse } from 'node:http';
import helmet from 'helmet';

/** An answer opened as a page is only text: nothing in it runs, loads, or can be embedded in another page. */
const POLICY = { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] };

const middleware = helmet({
  contentSecurityPolicy: { useDefaults: false, directives: POLICY },
  // Clients in a browser may be on other sites; they need credentials.
  crossOriginResourcePolicy: { policy: 'cross-origin' },
  // Needed only by documents with scripts or by old browsers: each header costs every answer a microsecond.
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
});

/** Helmet's headers, computed once. Answers that show content have another policy. */
export const SECURITY_HEADERS = headersOf(middleware);

function headersOf(setHeaders: typeof middleware): Record<string, string> {
  const headers: Record<string, string> = {};
  const response = {
    setHeader: (name: string, value: string) => {
      headers[name] = value;
    },
    removeHeader: () => {},
  };
  setHeaders({} as IncomingMessage, response as unknown as ServerResponse, (error) => {
    if (error) throw error;
  });
  return headers;
}

/** Headers of requests that scripts of other origins may set, see PREFLIGHT_HEADERS. */
const REQUEST_HEADERS = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'Range',
  'Tus-Resumable',
  'Upload-Checksum',
  'Upload-Defer-Length',
  'Upload-Length',
  'Upload-Metadata',
  'Upload-Offset',
  'X-HTTP-Method-Override',
  'X-Request-Id',
  'X-Requested-With',
];

/** Headers of answers that scripts of other origins may read. */
const ANSWER_HEADERS = [
  'Accept-Ranges',
  'Allow',
  'Content-Disposition',
  'Content-Range',
  'Location',
  'Retry-After',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
];

/** Headers of every answer: clients in a browser are on other sites. */
export const CORS_HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Headers': 'Authorization',
  'Access-Control-Expose-Headers': ANSWER_HEADERS.join(', '),
};

/** Headers of every answer to OPTIONS; browsers cache it for at most two hours. */
export const PREFLIGHT_HEADERS = {
  'Access-Control-Allow-Headers': REQUEST_HEADERS.join(', '),
  'Access-Control-Max-Age': '7200',
};

/** The headers that scripts may read, with additional ones. */
export function exposedHeaders(more: readonly string[]): string {
  return [...ANSWER_HEADERS, ...more].join(', ');
}
