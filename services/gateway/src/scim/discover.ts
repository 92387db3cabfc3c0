import { PublicError } from '@parley/shared/errors';
import { type Answer, allowedMethods, MethodNotAllowedError, PathNotFoundError } from '../http/answer';
import type { Exchange } from '../http/exchange';
import { DISCOVERY, SERVICE_PROVIDER_CONFIG } from './discovery';
import { listAnswer, scimAnswer } from './scim-answer';
import { queryOf } from './scim-request';

const READING = ['GET', 'HEAD'];
/** Endpoints of the standard: all kinds of resources at once, many changes at once, and the caller’s own account. */
const UNSUPPORTED = new Set(['.search', 'Bulk', 'Me']);

/** The supported features; public. */
export function discover(
  exchange: Exchange,
  { endpoint, id, root }: { endpoint: string; id: string; root: string },
): Answer {
  if (UNSUPPORTED.has(endpoint)) throw new PublicError('SCIM_ERROR', 501, `${endpoint} is not supported`);
  const documents = documentsOf(endpoint);
  if (documents === null) throw new PathNotFoundError();
  const method = exchange.req.method as string;
  if (method === 'OPTIONS') return allowedMethods(READING);
  if (!READING.includes(method)) throw new MethodNotAllowedError(READING);
  if (queryOf(exchange).has('filter')) throw new PublicError('SCIM_ERROR', 403, 'These documents cannot be filtered');
  const all = documents.map((document) => withRoot(document, root));
  if (endpoint === 'ServiceProviderConfig') {
    if (id !== '') throw new PathNotFoundError();
    return scimAnswer(200, all[0] as Document);
  }
  if (id === '') return listAnswer(all, all.length, 1);
  const found = all.find((document) => document['id'] === id);
  if (found === undefined) throw new PathNotFoundError();
  return scimAnswer(200, found);
}

type Document = Record<string, unknown>;

function documentsOf(endpoint: string): readonly Document[] | null {
  if (endpoint === 'ServiceProviderConfig') return [SERVICE_PROVIDER_CONFIG];
  return (Object.hasOwn(DISCOVERY, endpoint) && DISCOVERY[endpoint]) || null;
}

function withRoot(document: Document, root: string): Document {
  const meta = document['meta'] as { resourceType: string; location: string };
  return { ...document, meta: { ...meta, location: root + meta.location } };
}
