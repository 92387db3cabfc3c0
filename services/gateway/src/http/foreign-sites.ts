import { BadRequestError } from '@parley/shared/errors';
import type { Exchange } from './exchange';

const READING = new Set(['GET', 'HEAD', 'OPTIONS']);
/** By a click on a link of somebody's own, or by pages of the same origin; programs that are no browsers say nothing. */
const OWN_SITES: readonly (string | undefined)[] = ['same-origin', 'none', undefined];

/**
 * Throws when a page of another site would change something with credentials that the browser may have remembered. Scripts of other sites
 * that have credentials of their own show it by a header for which browsers ask first, and which they do not send with remembered ones.
 */
export function refuseForeignSites({ req }: Pick<Exchange, 'req'>): void {
  if (READING.has(req.method as string) || OWN_SITES.includes(req.headers['sec-fetch-site'] as string | undefined))
    return;
  if (req.headers['x-requested-with'] !== undefined) return;
  throw new BadRequestError('Requests from pages of other sites need a header X-Requested-With', {}, 403);
}

/** A browser that is asked for credentials remembers them, and sends them along whichever page makes it come: those who open pages are not asked. */
export function asksForCredentials({ headers }: Exchange['req']): boolean {
  const mode = headers['sec-fetch-mode'];
  return mode !== 'navigate' && mode !== 'no-cors' && !headers.accept?.includes('text/html');
}
