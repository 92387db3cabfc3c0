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
  if (READING.has(req.method as string) || OWN_SITES.includes(req.headers['sec-fetch-site'] as string | undefined))
    return;
  if (req.headers['x-requested-with'] !== undefined) return;
  throw new BadRequestError('Requests from pages of other sites need a header X-Requested-With', {}, 403);
}

/**
 * Whether to send WWW-Authenticate. Not to browsers that open pages: they would remember the credentials, and send them with any
 * page's requests.
 */
export function asksForCredentials({ headers }: Exchange['req']): boolean {
  const mode = headers['sec-fetch-mode'];
  return mode !== 'navigate' && mode !== 'no-cors' && !headers.accept?.includes('text/html');
}
