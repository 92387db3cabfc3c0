import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { authenticateHeader } from './authenticate';
import type { Exchange } from './exchange';

/** Says who makes the request, to the organization that it addresses. Throws the API's errors of authentication. */
export async function identify(
  ctx: Pick<Context, 'authenticate' | 'findSubdomain'>,
  exchange: Exchange,
  isOpenToWebhookBots = false,
): Promise<Caller> {
  exchange.subdomain = ctx.findSubdomain(exchange.header('host'));
  const { realmId, userId, isBot } = await authenticateHeader(
    ctx.authenticate,
    { call: exchange.call, subdomain: exchange.subdomain },
    exchange.header('authorization'),
    isOpenToWebhookBots,
  );
  const call = { ...exchange.call, realmId, userId };
  exchange.call = call;
  exchange.isBot = isBot;
  return call;
}
