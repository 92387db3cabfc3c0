import { hash } from 'node:crypto';
import { BadRequestError, PublicError, UnauthorizedError } from '@parley/shared/errors';
import type { ScimAccess } from '@parley/shared/proto';
import { realmUrl } from '@parley/shared/values';
import type { Context } from '../context';
import type { Exchange } from '../http/exchange';
import { readBody } from '../http/read-body';

export const SCIM_PATH = '/scim/v2';
/** Enough for the members of a large group. */
const MAX_BODY_BYTES = 2 * 1024 * 1024;
const MAX_VERSIONS = 20;

/** The address of the organization's SCIM. */
export function rootOf({ config }: Context, { subdomain }: Exchange): string {
  return realmUrl(subdomain, config.EXTERNAL_HOST) + SCIM_PATH;
}

/**
 * The organization and the token of a request. Wrong tokens count for the client's address, as wrong keys do, before they are asked
 * about: realm decides with the request itself.
 */
export function accessOf({ rateLimits }: Context, exchange: Exchange): ScimAccess {
  rateLimits.requireTrustIn(exchange);
  const [, token] = /^Bearer ([\x21-\x7e]{1,200})$/i.exec(exchange.header('authorization')?.trim() ?? '') ?? [];
  if (token === undefined) throw new UnauthorizedError('A bearer token is required');
  return { subdomain: exchange.subdomain, tokenHash: hash('sha256', token, 'buffer') };
}

/** The JSON of a request, which realm reads. */
export async function documentOf(exchange: Exchange): Promise<string> {
  const type = exchange.header('content-type');
  if (type !== undefined && !/^application\/(scim\+)?json\s*(;|$)/i.test(type)) {
    throw new BadRequestError('The request is neither application/scim+json nor application/json', {}, 415);
  }
  const bytes = await readBody(exchange.req, MAX_BODY_BYTES);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw invalid('invalidSyntax', 'The request is not UTF-8');
  }
}

export function invalid(scimType: string, detail: string): PublicError {
  return new PublicError('SCIM_ERROR', 400, detail, { scimType });
}

export function queryOf({ req }: Exchange): URLSearchParams {
  const url = req.url as string;
  const mark = url.indexOf('?');
  return new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1));
}

/** The versions in a header such as If-Match; empty: there is none. */
export function versionsOf(exchange: Exchange, name: 'if-match' | 'if-none-match'): string[] {
  const versions = (exchange.header(name) ?? '').split(',').map((each) => each.trim());
  const named = versions.filter((each) => each !== '');
  if (named.length > MAX_VERSIONS) throw invalid('invalidValue', `Too many versions (limit: ${MAX_VERSIONS})`);
  return named;
}
