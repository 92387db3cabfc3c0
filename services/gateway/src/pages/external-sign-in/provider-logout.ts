import { PublicError } from '@parley/shared/errors';
import type { Context } from '../../context';
import type { Answer } from '../../http/answer';
import type { Exchange } from '../../http/exchange';
import { readForm } from '../../http/read-form';
import type { Page } from '../../http/routes';
import { PATHS, PROVIDER_PATTERNS } from './addresses';

/** Far more than tokens have. */
const MAX_TOKEN_LENGTH = 20_000;

/** OpenID Connect Back-Channel Logout: a provider says, without a browser, that somebody's sessions have ended. */
export function providerLogout(ctx: Context): Page {
  return {
    path: PATHS.logout,
    patterns: PROVIDER_PATTERNS,
    methods: ['POST'],
    answer: ({ id }, exchange) => endSessions(ctx, exchange, Number(id)),
  };
}

async function endSessions(ctx: Context, exchange: Exchange, providerId: number): Promise<Answer> {
  ctx.rateLimits.requireTrustIn(exchange);
  const subdomain = ctx.findSubdomain(exchange.req.headers.host);
  try {
    const { parameters: sent } = await readForm(exchange.req);
    const logoutToken = sent.get('logout_token') ?? '';
    if (logoutToken === '' || logoutToken.length > MAX_TOKEN_LENGTH) return invalid('logout_token is missing');
    await ctx.services.realm.endOidcSessions(exchange.call, { subdomain, providerId, logoutToken });
    return { status: 200, body: '' };
  } catch (error) {
    if (!(error instanceof PublicError) || ![400, 404].includes(error.httpStatus)) throw error;
    // A provider may end many sessions at once, so only what is refused counts.
    ctx.rateLimits.countAddress(exchange);
    return invalid(error.message);
  }
}

/** As the specification wants it. */
function invalid(description: string): Answer {
  return { status: 400, body: JSON.stringify({ error: 'invalid_request', error_description: description }) };
}
