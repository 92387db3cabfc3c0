import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import type { Exchange } from './exchange';
import { identify } from './identify';
import { hasCredential } from './sessions';
import { visit } from './visit';

/** The caller of a request; without credentials a visitor, if visitors are admitted. Throws like both. */
export async function identifyOrVisit(ctx: Context, exchange: Exchange): Promise<Caller> {
  if (hasCredential(exchange)) return identify(ctx, exchange);
  const visitor = await visit(ctx, exchange);
  if (exchange.ownLimit !== undefined) ctx.rateLimits.countOwn(exchange, exchange.ownLimit);
  return visitor;
}
