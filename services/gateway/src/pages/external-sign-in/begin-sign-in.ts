import { PublicError } from '@parley/shared/errors';
import type { Context } from '../../context';
import { type Answer, failure, redirect } from '../../http/answer';
import type { Exchange } from '../../http/exchange';
import { hostCookie, isSecure, readHostCookies } from '../../http/host-cookies';
import { readQuery } from '../../http/read-form';
import type { Page } from '../../http/routes';
import { openOrganization } from '../organization';
import { PATHS, PROVIDER_PATTERNS, registeredAddresses } from './addresses';
import { isDesktopApp, waitInApp } from './desktop-app';
import { type Destination, destinationOf, encodeDestination, WANTED } from './destination';

/** Binds the provider's answer to the browser that asked: nobody signs others in as themselves. */
const SECRET_COOKIE = 'oidc';
/** As long as realm takes the secret. */
const SECRET_MS = 10 * 60_000;

/** Sends browsers to a provider, to sign in there: people, phones and desktops. Who has no account begins alike. */
export function beginSignInPages(ctx: Context): Page[] {
  return [PATHS.login, PATHS.signup].map((path) => ({
    path,
    patterns: PROVIDER_PATTERNS,
    isForPeople: true,
    answer: ({ id }, exchange) => begin(ctx, exchange, Number(id)),
  }));
}

async function begin(ctx: Context, exchange: Exchange, providerId: number): Promise<Answer> {
  const { req, call } = exchange;
  ctx.rateLimits.countAddress(exchange);
  const destination = await destinationOrError(ctx, exchange);
  if (destination instanceof PublicError) return failure(destination);
  if (destination.to === 'browser' && isDesktopApp(req)) return waitInApp(exchange);
  const { subdomain } = await openOrganization(ctx, exchange);
  const { authorizationUrl, browserSecret } = await ctx.services.realm.beginOidcSignIn(call, {
    subdomain,
    providerId,
    redirectUri: registeredAddresses(ctx.config, subdomain, providerId).callback,
    wanted: WANTED[destination.to],
    flow: encodeDestination(destination),
  });
  exchange.cookies = [secretCookie(ctx, exchange, browserSecret)];
  return redirect(authorizationUrl);
}

/** Errors in a client's parameters are JSON, although clients open the page in a browser. */
async function destinationOrError({ config }: Context, { req }: Exchange): Promise<Destination | PublicError> {
  const { parameters: sent } = await readQuery(req);
  try {
    return destinationOf(sent, config);
  } catch (error) {
    if (error instanceof PublicError) return error;
    throw error;
  }
}

function secretCookie({ clock }: Context, { req }: Exchange, value: string): string {
  return hostCookie({ name: SECRET_COOKIE, value, expires: new Date(clock.now() + SECRET_MS), secure: isSecure(req) });
}

/** The secret of this browser's sign-in, empty if it has begun none, and the cookie's end: it is of use once. */
export function takeSecret({ req }: Exchange): { secret: string; cookies: string[] } {
  const end = (secure: boolean) => hostCookie({ name: SECRET_COOKIE, value: '', expires: new Date(0), secure });
  return { secret: readHostCookies(req, SECRET_COOKIE)[0] ?? '', cookies: [end(isSecure(req))] };
}
