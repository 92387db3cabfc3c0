import type { IncomingMessage } from 'node:http';
import { BadRequestError } from '@parley/shared/errors';
import type { Exchange } from './exchange';

const READING = new Set(['GET', 'HEAD', 'OPTIONS']);
/** Navigation by the user, or pages of the same origin; programs other than browsers send no such header. */
const OWN_SITES: readonly (string | undefined)[] = ['same-origin', 'none', undefined];

/**
 * Throws if a page of another site would change something with credentials that the browser may have remembered. Scripts of other
 * sites with their own credentials send a header that requires a preflight, and that browsers do not add to requests with
 * remembered credentials.
 */
export function refuseForeignSites({ req }: Pick<Exchange, 'req'>): void {
  if (isReading(req) || OWN_SITES.includes(req.headers['sec-fetch-site'] as string | undefined)) return;
  if (req.headers['x-requested-with'] !== undefined) return;
  throw new BadRequestError('Requests from pages of other sites need a header X-Requested-With', {}, 403);
}

/** Whether a request changes nothing. */
export function isReading(req: IncomingMessage): boolean {
  return READING.has(req.method as string);
}

/** Whether a request comes from a page of this host, or from a program. Without TLS browsers tell only the page's origin. */
export function isOwnSite({ headers }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site'] as string | undefined;
  if (site !== undefined) return OWN_SITES.includes(site);
  const { origin, host } = headers;
  return origin === undefined || (URL.canParse(origin) && new URL(origin).host === host?.toLowerCase());
}

/**
 * Whether to send WWW-Authenticate. Not to browsers that open pages: they would remember the credentials, and send them with any
 * page's requests.
 */
export function asksForCredentials({ headers }: Exchange['req']): boolean {
  const mode = headers['sec-fetch-mode'];
  return mode !== 'navigate' && mode !== 'no-cors' && !headers.accept?.includes('text/html');
}
