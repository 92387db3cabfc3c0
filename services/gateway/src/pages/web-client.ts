import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import mime from 'mime-types';
import type { Answer } from '../http/answer';
import type { Exchange } from '../http/exchange';
import { isSecure } from '../http/host-cookies';
import type { Page } from '../http/routes';

/** The built client, in a checkout and in the image. */
const DIRECTORY = path.join(__dirname, '../../../../packages/web/dist');
/** The service worker that shows notifications: it is in charge of the whole site. */
const PUSH_WORKER = 'push-worker.js';
/** Below this path are the files of the web client, whose names contain a hash of what is in them. */
const FILES = '/web';
const FOR_EVER = 'public, max-age=31536000, immutable';
/** The page itself names the files of this release: it is asked for again each time, and mostly has not changed. */
const ASK_AGAIN = 'no-cache';

/** Formulas have styles of their own; nothing comes from elsewhere, and no text becomes a script. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "style-src-attr 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "media-src 'self' blob:",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types parley parley-worker dompurify',
].join('; ');

interface StoredFile {
  bytes: Buffer;
  /** Compressed when the client was built; undefined: it gains nothing by it. */
  brotli: Buffer | undefined;
  type: string;
  etag: string;
}

/** The web client at `/`, for browsers; other programs get `welcome`. Files stay in memory from their first request on: they are few. */
export function webClient(welcome: string): Page[] {
  if (!existsSync(DIRECTORY)) throw new Error('the web client is not built: npm run build');
  const page = readFile('index.html');
  const pushWorker = readFile(PUSH_WORKER);
  const names = new Set(readdirSync(path.join(DIRECTORY, 'assets')).filter((name) => !name.endsWith('.br')));
  const files = new Map<string, StoredFile>();
  return [
    {
      path: '/',
      answer: (_path, exchange) =>
        isBrowser(exchange) ? serve(page, exchange, pageHeaders(exchange)) : { status: 200, body: welcome },
    },
    { path: `/${PUSH_WORKER}`, answer: (_path, exchange) => serve(pushWorker, exchange, workerHeaders) },
    {
      path: `${FILES}/assets/{name}`,
      patterns: { name: /^[\w.-]+$/ },
      answer: ({ name = '' }, exchange) => {
        if (!names.has(name)) return { status: 404, body: '' };
        const file = files.get(name) ?? readFile('assets', name);
        files.set(name, file);
        return serve(file, exchange, fileHeaders);
      },
    },
  ];
}

const pageHeaders = ({ req }: Exchange) => ({
  'Cache-Control': ASK_AGAIN,
  'Content-Security-Policy': POLICY,
  // Signing out is a form: see webPage.
  'Referrer-Policy': 'same-origin',
  // Without TLS browsers ignore it, and complain.
  ...(isSecure(req) && { 'Cross-Origin-Opener-Policy': 'same-origin' }),
});
// A worker goes by the policy of its own file.
const workerHeaders = { 'Cache-Control': ASK_AGAIN, 'Content-Security-Policy': POLICY };
const fileHeaders = { 'Cache-Control': FOR_EVER, 'Content-Security-Policy': POLICY };

function readFile(...parts: string[]): StoredFile {
  const file = path.join(DIRECTORY, ...parts);
  const bytes = readFileSync(file);
  return {
    bytes,
    brotli: existsSync(`${file}.br`) ? readFileSync(`${file}.br`) : undefined,
    type: mime.contentType(path.extname(file)) || 'application/octet-stream',
    etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
  };
}

function isBrowser({ req }: Exchange): boolean {
  return req.headers.accept?.includes('text/html') === true;
}

function serve({ bytes, brotli, type, etag }: StoredFile, { req }: Exchange, headers: Record<string, string>): Answer {
  const common = { ...headers, ETag: etag, Vary: 'Accept, Accept-Encoding' };
  if (req.headers['if-none-match'] === etag) return { status: 304, body: '', headers: common };
  const isCompressed = brotli !== undefined && /\bbr\b/.test([req.headers['accept-encoding']].join());
  const body = isCompressed ? brotli : bytes;
  return {
    status: 200,
    body,
    headers: { ...common, 'Content-Type': type, ...(isCompressed && { 'Content-Encoding': 'br' }) },
  };
}
