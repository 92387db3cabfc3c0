import { PublicError } from '@parley/shared/errors';
import type { FetchedApiKey, OidcProvider, Organization } from '@parley/shared/proto';
import { escapeHtml, PASSWORD_LIMITS, realmSettingsOf } from '@parley/shared/values';
import type { Context } from '../context';
import { type Answer, headersOf, seeOther } from '../http/answer';
import { browserName } from '../http/client-name';
import type { SentParameters } from '../http/decode-parameters';
import { deviceOf } from '../http/device';
import type { Exchange } from '../http/exchange';
import { identify } from '../http/identify';
import { pageTexts, refusalOf, type Said } from '../http/page-language';
import { readForm } from '../http/read-form';
import type { Page } from '../http/routes';
import { cookiesOf, hasCredential, noCookies, requireOwnSite } from '../http/sessions';
import { CHOOSE_PATH, SIGN_IN_PATH, webPage } from '../http/web-page';
import { pathOf } from './external-sign-in/addresses';
import { FORGOTTEN_PATH } from './forgotten-password';
import { errorText, field, MAX_EMAIL_LENGTH } from './form-field';
import { nextOf } from './next-address';
import { findOrganization } from './organization';

interface Visit {
  ctx: Context;
  exchange: Exchange;
  organization: Organization;
  sent: SentParameters;
}

/** Signs in with a password, to a session; needs no scripts. */
export function signInPage(ctx: Context): Page {
  return {
    path: SIGN_IN_PATH,
    methods: ['GET', 'POST'],
    isForPeople: true,
    answer: (_path, exchange) => answer(ctx, exchange),
  };
}

async function answer(ctx: Context, exchange: Exchange): Promise<Answer> {
  const { req } = exchange;
  ctx.rateLimits.countAddress(exchange);
  const { parameters: sent } = await readForm(req);
  const organization = await findOrganization(ctx, exchange);
  if (organization === null) return seeOther(CHOOSE_PATH);
  const visit = { ctx, exchange, organization, sent };
  if (req.method === 'POST') return submit(visit);
  return (await isSignedIn(ctx, exchange)) ? seeOther(nextOf(sent)) : await form(visit, null);
}

async function isSignedIn(ctx: Context, exchange: Exchange): Promise<boolean> {
  if (!hasCredential(exchange)) return false;
  const { call } = exchange;
  try {
    await identify(ctx, exchange);
    return true;
  } catch (error) {
    if (!(error instanceof PublicError) || error.httpStatus !== 401) throw error;
    exchange.call = call;
    return false;
  }
}

async function submit(visit: Visit): Promise<Answer> {
  const { ctx, exchange, sent } = visit;
  requireOwnSite(exchange.req);
  ctx.rateLimits.countOwn(exchange, 'signIns');
  try {
    exchange.cookies = cookiesOf(exchange.req, await signIn(visit));
    return seeOther(nextOf(sent));
  } catch (error) {
    if (!(error instanceof PublicError) || !isAmendable(error)) throw error;
    const page = await form(visit, refusalOf(error, exchange), error.httpStatus);
    return { ...page, headers: { ...page.headers, ...headersOf(error) } };
  }
}

/** Whether other input may succeed. */
function isAmendable({ httpStatus, code }: PublicError): boolean {
  return [400, 401].includes(httpStatus) && !['USER_DEACTIVATED', 'REALM_DEACTIVATED'].includes(code);
}

function signIn({ ctx: { services, config }, exchange, organization, sent }: Visit): Promise<FetchedApiKey> {
  const { call, req } = exchange;
  const username = sent.get('username') ?? '';
  const label = browserName(req.headers['user-agent']);
  const device = deviceOf(req);
  const { subdomain } = organization;
  if (config.DEV_LOGIN && sent.has('without_password')) {
    return services.realm.devFetchApiKey(call, { subdomain, username, label, device, isSession: true });
  }
  const password = sent.get('password') ?? '';
  const address = config.RATE_LIMITS ? exchange.address : '';
  return services.realm.fetchApiKey(call, { subdomain, username, password, label, device, address, isSession: true });
}

async function form(visit: Visit, error: Said | null, status = 200): Promise<Answer> {
  const { ctx, exchange, organization } = visit;
  const { subdomain } = organization;
  const { providers } = await ctx.services.realm.listOidcProviders(exchange.call, { subdomain });
  const { authentication_methods: methods, password_sign_in: whoHasOne } = realmSettingsOf(organization);
  const isFirst = error === null && providers.length === 0;
  const forms = [
    providerLinks(visit, providers),
    organization.hasLdap || (methods.Email && whoHasOne === 'all') ? passwordForm(visit, isFirst) : '',
    !organization.hasLdap && methods.Email && whoHasOne === 'owners'
      ? ownersForm(visit, error !== null || providers.length === 0)
      : '',
    methods.Dev && ctx.config.DEV_LOGIN ? developmentForm(visit) : '',
  ].filter((each) => each !== '');
  const { signIn: texts } = pageTexts(exchange);
  const content = errorText(error) + (forms.join('\n') || `<p>${escapeHtml(texts.noPasswords)}</p>`);
  return webPage(exchange, { title: texts.title(organization.name), content, status });
}

function providerLinks({ sent, exchange }: Visit, providers: readonly OidcProvider[]): string {
  const next = new URLSearchParams({ next: nextOf(sent) });
  const { signIn: texts } = pageTexts(exchange);
  return providers
    .map(({ id, displayName }) => {
      const address = escapeHtml(`${pathOf('login', id)}?${next}`);
      return `<p><a class="button" href="${address}">${escapeHtml(texts.by(displayName))}</a></p>`;
    })
    .join('\n');
}

const nextField = (sent: SentParameters) => `<input type="hidden" name="next" value="${escapeHtml(nextOf(sent))}">`;

function usernameField({ organization, sent, exchange }: Visit, isFirst: boolean): string {
  const { signIn: texts } = pageTexts(exchange);
  return field({
    name: 'username',
    label: organization.hasLdap ? texts.loginName : texts.email,
    type: organization.hasLdap ? 'text' : 'email',
    autocomplete: 'username',
    value: sent.get('username') ?? '',
    isFirst,
    maxLength: MAX_EMAIL_LENGTH,
  });
}

function passwordForm(visit: Visit, isFirst: boolean): string {
  const { organization, sent, exchange } = visit;
  const { signIn: texts } = pageTexts(exchange);
  const { Email: areOwnUsed } = realmSettingsOf(organization).authentication_methods;
  const password = field({
    name: 'password',
    label: texts.password,
    type: 'password',
    autocomplete: 'current-password',
    maxLength: PASSWORD_LIMITS.maxLength,
  });
  return `<form method="post">
${nextField(sent)}${usernameField(visit, isFirst)}${password}<button type="submit">${escapeHtml(texts.action)}</button>
</form>
${areOwnUsed ? `<p><a href="${FORGOTTEN_PATH}">${escapeHtml(texts.forgotten)}</a></p>` : ''}`;
}

/** Folded beside providers, since others have no password: it is for when a provider does not answer. */
function ownersForm(visit: Visit, isOpen: boolean): string {
  const form = passwordForm(visit, false);
  const { owners } = pageTexts(visit.exchange).signIn;
  return `<details${isOpen ? ' open' : ''}>\n<summary>${escapeHtml(owners)}</summary>\n${form}\n</details>`;
}

function developmentForm(visit: Visit): string {
  const { signIn: texts } = pageTexts(visit.exchange);
  return `<form method="post">
${nextField(visit.sent)}${usernameField(visit, false)}<button type="submit" name="without_password" value="true">${escapeHtml(texts.withoutPassword)}</button>
</form>
<p class="hint">${escapeHtml(texts.development)}</p>`;
}

/** Ends the session of a browser. */
export function signOutPage(ctx: Context): Page {
  return {
    path: '/accounts/logout',
    methods: ['POST'],
    isForPeople: true,
    answer: (_path, exchange) => signOut(ctx, exchange),
  };
}

async function signOut(ctx: Context, exchange: Exchange): Promise<Answer> {
  requireOwnSite(exchange.req);
  if (hasCredential(exchange)) await endSession(ctx, exchange);
  exchange.cookies = noCookies(exchange.req);
  return seeOther(SIGN_IN_PATH);
}

async function endSession(ctx: Context, exchange: Exchange): Promise<void> {
  try {
    const caller = await identify(ctx, exchange);
    await ctx.services.realm.revokeApiKey(caller, { keyId: exchange.apiKeyId });
  } catch (error) {
    // It has ended already.
    if (!(error instanceof PublicError) || error.httpStatus !== 401) throw error;
  }
}
