import { PublicError } from '@parley/shared/errors';
import type { FetchedApiKey, FinishedOidcSignIn } from '@parley/shared/proto';
import { escapeHtml, realmUrl } from '@parley/shared/values';
import type { Context } from '../../context';
import { type Answer, headersOf, redirect, seeOther } from '../../http/answer';
import { browserName } from '../../http/client-name';
import { deviceCookie, deviceOf } from '../../http/device';
import type { Exchange } from '../../http/exchange';
import { langOf, pageTexts, refusalOf } from '../../http/page-language';
import type { Page } from '../../http/routes';
import { cookiesOf, requireOwnSite } from '../../http/sessions';
import { SIGN_IN_PATH, webPage } from '../../http/web-page';
import { openOrganization } from '../organization';
import { hasTls, PATHS, PROVIDER_PATTERNS } from './addresses';
import { takeSecret } from './begin-sign-in';
import { showCode } from './desktop-app';
import { decodeDestination } from './destination';
import { hideKey, seal } from './one-time-pad';

/** Where a provider sends browsers back to. */
export function finishSignInPage(ctx: Context): Page {
  return {
    path: PATHS.callback,
    patterns: PROVIDER_PATTERNS,
    isForPeople: true,
    answer: ({ id }, exchange) => finish(ctx, exchange, Number(id)),
  };
}

async function finish(ctx: Context, exchange: Exchange, providerId: number): Promise<Answer> {
  const { req, call } = exchange;
  ctx.rateLimits.countAddress(exchange);
  ctx.rateLimits.countOwn(exchange, 'signIns');
  const { secret: browserSecret, cookies } = takeSecret(exchange);
  exchange.cookies = cookies;
  const { subdomain } = await openOrganization(ctx, exchange);
  const label = browserName(req.headers['user-agent']);
  const query = new URL(req.url as string, 'http://host').search.slice(1);
  try {
    const request = { subdomain, providerId, query, browserSecret, label, device: deviceOf(req) };
    return handOver(ctx, exchange, subdomain, await ctx.services.realm.finishOidcSignIn(call, request));
  } catch (error) {
    if (error instanceof PublicError && error.httpStatus === 400) return refused(exchange, error);
    throw error;
  }
}

/** To the page, app or desktop that the sign-in began for. */
function handOver(ctx: Context, exchange: Exchange, subdomain: string, finished: FinishedOidcSignIn): Answer {
  const destination = decodeDestination(finished.flow);
  if (destination.to === 'desktop') return showCode(exchange, seal(finished.loginToken ?? '', destination.pad));
  const key = finished.key as FetchedApiKey;
  if (destination.to === 'phone') {
    exchange.cookies = [...exchange.cookies, deviceCookie(exchange.req, hasTls(ctx.config))];
    return toApp(key, destination, realmUrl(subdomain, ctx.config.EXTERNAL_HOST));
  }
  signInBrowser(ctx, exchange, key);
  return seeOther(destination.next);
}

function toApp(
  { apiKey, deliveryEmail, userId }: FetchedApiKey,
  { pad, scheme }: { pad: string; scheme: string },
  realm: string,
): Answer {
  const values = {
    otp_encrypted_api_key: hideKey(apiKey, pad),
    email: deliveryEmail,
    user_id: String(userId),
    realm,
  };
  return redirect(`${scheme}://login?${new URLSearchParams(values)}`);
}

/** Always a new session: none that somebody has known before. */
function signInBrowser({ config }: Context, exchange: Exchange, key: FetchedApiKey): void {
  exchange.cookies = [...exchange.cookies, ...cookiesOf(exchange.req, key, hasTls(config))];
}

function refused(exchange: Exchange, error: PublicError): Answer {
  const { outside: texts } = pageTexts(exchange);
  const said = refusalOf(error, exchange);
  const content = `<p role="alert"${langOf(said)}>${escapeHtml(said.text)}</p>
<p>${escapeHtml(texts.fromApp)}</p>
<p><a href="${SIGN_IN_PATH}">${escapeHtml(texts.toSignIn)}</a></p>`;
  const page = webPage(exchange, { title: texts.refusedTitle, content, status: error.httpStatus });
  return { ...page, headers: { ...page.headers, ...headersOf(error) } };
}

/** Where a desktop's app goes with the token that it got as a code. */
export function loginTokenPage(ctx: Context): Page {
  return {
    path: PATHS.token,
    patterns: { token: /^[\w-]{1,2048}$/ },
    isSecret: true,
    isForPeople: true,
    answer: ({ token = '' }, exchange) => redeem(ctx, exchange, token),
  };
}

async function redeem(ctx: Context, exchange: Exchange, loginToken: string): Promise<Answer> {
  const { req, call } = exchange;
  ctx.rateLimits.countAddress(exchange);
  ctx.rateLimits.countOwn(exchange, 'signIns');
  requireOwnSite(req);
  const { subdomain } = await openOrganization(ctx, exchange);
  const label = browserName(req.headers['user-agent']);
  try {
    const request = { subdomain, loginToken, label, device: deviceOf(req) };
    signInBrowser(ctx, exchange, await ctx.services.realm.redeemLoginToken(call, request));
    return seeOther('/');
  } catch (error) {
    if (error instanceof PublicError && error.httpStatus === 400) return refused(exchange, error);
    throw error;
  }
}
