import { PublicError } from '@parley/shared/errors';
import type { FetchedApiKey, Organization } from '@parley/shared/proto';
import { escapeHtml, PASSWORD_LIMITS, realmSettingsOf } from '@parley/shared/values';
import type { Context } from '../context';
import { type Answer, headersOf, seeOther } from '../http/answer';
import { browserName } from '../http/client-name';
import type { SentParameters } from '../http/decode-parameters';
import type { Exchange } from '../http/exchange';
import { identify } from '../http/identify';
import { readForm } from '../http/read-form';
import type { Page } from '../http/routes';
import { cookiesOf, hasCredential, noCookies, requireOwnSite } from '../http/sessions';
import { CHOOSE_PATH, SIGN_IN_PATH, webPage } from '../http/web-page';
import { errorText, type Field, field } from './form-field';
import { findOrganization } from './organization';

const HOME = '/';
const MAX_EMAIL_LENGTH = 254;

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
  return (await isSignedIn(ctx, exchange)) ? seeOther(nextOf(sent)) : form(visit, null);
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
    const page = form(visit, error.message, error.httpStatus);
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
  const { subdomain } = organization;
  if (config.DEV_LOGIN && sent.has('without_password')) {
    return services.realm.devFetchApiKey(call, { subdomain, username, label, isSession: true });
  }
  const password = sent.get('password') ?? '';
  const address = config.RATE_LIMITS ? exchange.address : '';
  return services.realm.fetchApiKey(call, { subdomain, username, password, label, address, isSession: true });
}

/** The address to go to: one of this host, whatever was sent. */
function nextOf(sent: SentParameters): string {
  const next = sent.get('next') ?? HOME;
  return /^\/(?![/\\])[\x21-\x7e]*$/.test(next) && !next.includes('\\') ? next : HOME;
}

function form({ ctx, organization, sent }: Visit, error: string | null, status = 200): Answer {
  const methods = realmSettingsOf(organization).authentication_methods;
  const username: Field = {
    name: 'username',
    label: 'Email address',
    type: 'email',
    autocomplete: 'username',
    value: sent.get('username') ?? '',
    isFirst: error === null,
    maxLength: MAX_EMAIL_LENGTH,
  };
  const password: Field = {
    name: 'password',
    label: 'Password',
    type: 'password',
    autocomplete: 'current-password',
    maxLength: PASSWORD_LIMITS.maxLength,
  };
  const next = `<input type="hidden" name="next" value="${escapeHtml(nextOf(sent))}">`;
  const withPassword = `<form method="post">
${next}${field(username)}${field(password)}<button type="submit">Sign in</button>
</form>
<p><a href="/accounts/password/reset">Forgotten your password?</a></p>`;
  const without = `<form method="post">
${next}${field({ ...username, isFirst: false })}<button type="submit" name="without_password" value="true">Sign in without a password</button>
</form>
<p class="hint">This is a development server.</p>`;
  const forms = [methods.Email && withPassword, methods.Dev && ctx.config.DEV_LOGIN && without].filter(Boolean);
  const content =
    errorText(error) + (forms.join('\n') || '<p>This organization has switched off signing in with a password.</p>');
  return webPage({ title: `Sign in to ${organization.name}`, content, status });
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
