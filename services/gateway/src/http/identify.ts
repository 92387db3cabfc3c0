import { UnauthorizedError } from '@parley/shared/errors';
import type { Authentication, Credential } from '@parley/shared/proto';
import type { CallCredential, Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { credentialFromHeader, isLetIn, requireLetIn } from './authenticate';
import { EVENTS_PATH } from './endpoint';
import type { Exchange } from './exchange';
import { refuseForeignSites } from './foreign-sites';
import { credentialFromSession, isBySession } from './sessions';

type Identifying = Pick<
  Context,
  'authenticate' | 'authenticatePoll' | 'knownCredentials' | 'findSubdomain' | 'rateLimits'
>;

/**
 * Determines the caller of a request, in the addressed organization. Throws the API's authentication errors, and RATE_LIMIT_HIT;
 * wrong credentials count for the client's address.
 */
export async function identify(ctx: Identifying, exchange: Exchange, isOpenToWebhookBots = false): Promise<Caller> {
  const caller = await checkCredential(ctx, exchange, isOpenToWebhookBots).catch((error) => {
    throw counted(ctx, exchange, error);
  });
  if (exchange.ownLimit !== undefined) ctx.rateLimits.countOwn(exchange, exchange.ownLimit);
  return caller;
}

async function checkCredential(ctx: Identifying, exchange: Exchange, isOpenToWebhookBots: boolean): Promise<Caller> {
  const credential = credentialOf(ctx, exchange);
  if (ctx.knownCredentials.recall(credential) === undefined) ctx.rateLimits.requireTrustIn(exchange);
  const { requestId, deadlineAt } = exchange.call;
  const authenticate = mayWait(exchange) ? ctx.authenticatePoll : ctx.authenticate;
  const answer = await authenticate({ call: { requestId, deadlineAt }, credential });
  ctx.knownCredentials.note(credential, answer);
  requireLetIn(answer, isOpenToWebhookBots);
  return identifyBy(exchange, answer, undefined);
}

/** Whether it is a poll that may wait for events. */
function mayWait({ path, req: { method, url } }: Exchange): boolean {
  return path === EVENTS_PATH && method === 'GET' && !url?.includes('dont_block');
}

/**
 * The same from the cached credentials; null if there are none. They have to be confirmed: they are sent with the caller's calls,
 * none of which changes or returns anything before that.
 */
export function recallCaller(ctx: Identifying, exchange: Exchange, isOpenToWebhookBots = false): CallCredential | null {
  try {
    const credential = credentialOf(ctx, exchange);
    const known = ctx.knownCredentials.recall(credential);
    if (known === undefined || !isLetIn(known, isOpenToWebhookBots)) return null;
    const { subdomain, email, isSession } = credential;
    const carried = {
      apiKeyId: known.apiKeyId,
      email: (isSession && known.email) || email,
      subdomain,
      role: known.role,
      isConfirmed: false,
    };
    identifyBy(exchange, known, carried);
    return carried;
  } catch (error) {
    throw counted(ctx, exchange, error);
  }
}

function counted({ rateLimits }: Identifying, exchange: Exchange, error: unknown): unknown {
  if (error instanceof UnauthorizedError) rateLimits.countRefused(exchange);
  return error;
}

function credentialOf(ctx: Identifying, exchange: Exchange): Credential {
  exchange.credential ??= readCredential(ctx, exchange);
  return exchange.credential;
}

function readCredential({ findSubdomain }: Identifying, exchange: Exchange): Credential {
  exchange.subdomain = findSubdomain(exchange.header('host'));
  if (isBySession(exchange)) return credentialFromSession(exchange.subdomain, exchange);
  if (exchange.header('authorization') !== undefined) refuseForeignSites(exchange);
  return credentialFromHeader(exchange.subdomain, exchange.header('authorization'));
}

function identifyBy(exchange: Exchange, known: Authentication, credential: CallCredential | undefined): Caller {
  const { realmId, userId, role, isBot, apiKeyId } = known;
  // Not spread: V8 would create a hidden class for every request.
  const { requestId, deadlineAt } = exchange.call;
  const call = { requestId, deadlineAt, clientAddress: exchange.address, realmId, userId, credential };
  exchange.call = call;
  exchange.role = role;
  exchange.isBot = isBot;
  exchange.apiKeyId = apiKeyId;
  return call;
}
