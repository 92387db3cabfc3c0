import type { Caller } from '@parley/shared/rpc';
import { VISITOR_ID } from '@parley/shared/values';
import type { Context } from '../context';
import type { Exchange } from './exchange';

/**
 * Admits a visitor without an account. Throws UNAUTHORIZED unless the addressed organization admits visitors, and RATE_LIMIT_HIT.
 */
export async function visit({ services, findSubdomain, rateLimits }: Context, exchange: Exchange): Promise<Caller> {
  rateLimits.countAddress(exchange);
  exchange.subdomain = findSubdomain(exchange.header('host'));
  const { realmId } = await services.realm.admitVisitor(exchange.call, { subdomain: exchange.subdomain });
  const call = { ...exchange.call, realmId, userId: VISITOR_ID };
  exchange.call = call;
  return call;
}
