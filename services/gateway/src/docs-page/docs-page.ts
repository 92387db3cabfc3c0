import { gunzipSync, gzipSync } from 'node:zlib';
import type { Answer } from '../http/answer';
import type { Endpoint } from '../http/endpoint';
import type { Exchange } from '../http/exchange';
import { lazy } from '../http/lazy';
import type { Page } from '../http/routes';
import { type Described, operationsByTag } from './operations';
import { DOCS_PATH, renderPage, SCRIPT_PATH, STYLE_PATH } from './render-page';
import { SCRIPT } from './script';
import { STYLE } from './style';

const HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'Referrer-Policy': 'no-referrer',
  // It is the same for everybody, and revalidation is cheap if nothing has changed.
  'Cache-Control': 'no-cache',
  Vary: 'Accept-Encoding',
};

/**
 * The API's reference as a page for people, with its style and script; it makes no other request.
 *
 * NOTE: our own page, because Redoc and Scalar are blank without scripts, use inline styles (Redoc stays blank under the
 * policy above), load fonts or a logo from their own hosts, and have 330 and 790 kB of script, compared with 1 kB here.
 */
export function docsPages(endpoints: readonly Endpoint[], document: () => object, brands: readonly string[]): Page[] {
  const page = () => renderPage(operationsByTag(endpoints, document() as Described, brands));
  return [
    { path: DOCS_PATH, ...compressed('text/html', page) },
    { path: STYLE_PATH, ...compressed('text/css', () => STYLE) },
    { path: SCRIPT_PATH, ...compressed('text/javascript', () => SCRIPT) },
  ];
}

function compressed(type: string, make: () => string): Pick<Page, 'prepare' | 'answer'> {
  const gzip = lazy(() => gzipSync(make()));
  const answer = (_path: unknown, exchange: Exchange): Answer => {
    const headers = { ...HEADERS, 'Content-Type': `${type}; charset=utf-8` };
    return /\bgzip\b/.test(exchange.header('accept-encoding') ?? '')
      ? { status: 200, body: gzip(), headers: { ...headers, 'Content-Encoding': 'gzip' } }
      : { status: 200, body: gunzipSync(gzip()), headers };
  };
  return { prepare: gzip, answer };
}
