import { NoSuchInvitationError, PublicError } from '@parley/shared/errors';
import type { AcceptInvitationResponse, InvitationFound } from '@parley/shared/proto';
import { findTextLanguage } from '@parley/shared/texts';
import { escapeHtml, realmUrl } from '@parley/shared/values';
import type { Context } from '../context';
import { type Answer, headersOf, seeOther } from '../http/answer';
import { browserName } from '../http/client-name';
import type { SentParameters } from '../http/decode-parameters';
import { deviceOf } from '../http/device';
import type { Exchange } from '../http/exchange';
import { langOf, markedUp, pageLanguage, pageTexts, refusalOf, strong } from '../http/page-language';
import { readForm } from '../http/read-form';
import type { Page } from '../http/routes';
import { cookiesOf, requireOwnSite } from '../http/sessions';
import { webPage } from '../http/web-page';
import { errorText } from './form-field';
import { accountForm, addressForm, type FormState } from './invitation-form';
import { requireTerms } from './invitation-terms';
import { openOrganization } from './organization';

/** The page creates an account, or first confirms an address. */
type Kind = 'account' | 'address';

const PATHS: Readonly<Record<Kind, string>> = { account: '/accounts/do_confirm/{key}', address: '/join/{key}/' };
/** Where the web client shows people who are new what to do. */
const WELCOME = '/#welcome';
const UNTOUCHED: FormState = { sent: new Map(), error: null };

/** The pages of invitations' links, one per kind: POST /invites/accept for browsers. */
export function invitationPage(ctx: Context, kind: Kind): Page {
  return {
    path: PATHS[kind],
    methods: ['GET', 'POST'],
    isSecret: true,
    isForPeople: true,
    answer: ({ key = '' }, exchange) => orNoPage(exchange, answer({ ctx, kind, key, exchange })),
  };
}

interface Request {
  ctx: Context;
  kind: Kind;
  key: string;
  exchange: Exchange;
}

interface Visit extends Request {
  subdomain: string;
  realmId: number;
}

async function answer(request: Request): Promise<Answer> {
  const { ctx, exchange } = request;
  ctx.rateLimits.countAddress(exchange);
  const { id: realmId, subdomain } = await openOrganization(ctx, exchange);
  const visit = { ...request, subdomain, realmId };
  return exchange.req.method === 'POST' ? submit(visit) : showForm(visit, UNTOUCHED);
}

async function showForm(visit: Visit, state: FormState, status = 200): Promise<Answer> {
  const { ctx, exchange, realmId, key } = visit;
  const found = await ctx.services.invites.lookUpInvitation(exchange.call, { realmId, key });
  const content = errorText(state.error) + formOf(visit, found, state);
  return webPage(exchange, { title: pageTexts(exchange).joining.title(found.organizationName), content, status });
}

function formOf({ ctx, kind, exchange }: Visit, found: InvitationFound, state: FormState): string {
  // A key opens only the page of its kind.
  if ((found.email === undefined) !== (kind === 'address')) throw new NoSuchInvitationError();
  const texts = pageTexts(exchange);
  return kind === 'address'
    ? addressForm(state, texts)
    : accountForm(found, state, { texts, termsUrl: ctx.config.TERMS_URL });
}

async function submit(visit: Visit): Promise<Answer> {
  requireOwnSite(visit.exchange.req);
  const { parameters: sent } = await readForm(visit.exchange.req);
  try {
    const accepted = await accept(visit, sent);
    return (await isSignedIn(visit, accepted, sent.get('password'))) ? seeOther(WELCOME) : done(visit, accepted);
  } catch (error) {
    if (!(error instanceof PublicError)) throw error;
    const page = await showForm(visit, { sent, error: refusalOf(error, visit.exchange) }, error.httpStatus);
    return { ...page, headers: { ...page.headers, ...headersOf(error) } };
  }
}

function accept({ ctx, kind, exchange, realmId, key }: Visit, sent: SentParameters): Promise<AcceptInvitationResponse> {
  if (kind === 'account') requireTerms(ctx.config, sent.get('accept_terms') === 'true');
  const password = sent.get('password');
  return ctx.services.invites.acceptInvitation(exchange.call, {
    realmId,
    key,
    // Fields of the other page are ignored: an account needs a name.
    fullName: kind === 'account' ? (sent.get('full_name') ?? '') : '',
    ...(kind === 'account' && password !== undefined && { password }),
    ...(kind === 'address' && { email: sent.get('email') ?? '' }),
    timezone: '',
    defaultLanguage: ownLanguage(exchange),
    defaultChannelGroups: [],
  });
}

/** The new account's language: the browser's, where it is not the organization's, which people have who choose none. */
function ownLanguage(exchange: Exchange): string {
  const language = pageLanguage(exchange);
  return language === findTextLanguage(exchange.organizationLanguage) ? '' : language;
}

/** Begins a session with the password that was just set. If that fails, the account is there all the same. */
async function isSignedIn(
  { ctx, exchange, subdomain }: Visit,
  { isConfirmationRequired, deliveryEmail: username }: AcceptInvitationResponse,
  password: string | undefined,
): Promise<boolean> {
  if (isConfirmationRequired || password === undefined) return false;
  const { req, call } = exchange;
  const label = browserName(req.headers['user-agent']);
  const address = ctx.config.RATE_LIMITS ? exchange.address : '';
  const wanted = { subdomain, username, password, label, device: deviceOf(req), address, isSession: true };
  try {
    exchange.cookies = cookiesOf(req, await ctx.services.realm.fetchApiKey(call, wanted));
    return true;
  } catch (error) {
    if (!(error instanceof PublicError)) throw error;
    return false;
  }
}

function done({ ctx, exchange, subdomain }: Visit, accepted: AcceptInvitationResponse): Answer {
  const { joining: texts, common } = pageTexts(exchange);
  const email = strong(accepted.deliveryEmail);
  if (accepted.isConfirmationRequired) {
    const content = `<p role="status">${markedUp(texts.mailed, email)}</p>`;
    return webPage(exchange, { title: common.mailedTitle, content });
  }
  const url = escapeHtml(realmUrl(subdomain, ctx.config.EXTERNAL_HOST));
  const content = `<p role="status">${markedUp(texts.ready, email, `<a href="${url}">${url}</a>`)}</p>`;
  return webPage(exchange, { title: texts.readyTitle, content });
}

/** Shown for an invalid invitation. */
async function orNoPage(exchange: Exchange, work: Promise<Answer>): Promise<Answer> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof PublicError) || !isAboutInvitation(error)) throw error;
    const { joining, errors } = pageTexts(exchange);
    const said = refusalOf(error, exchange);
    const content = `<p role="alert"${langOf(said)}>${escapeHtml(said.text)}</p>\n<p>${escapeHtml(joining.advice)}</p>`;
    const status = error.httpStatus === 400 ? 404 : error.httpStatus;
    return webPage(exchange, { title: errors.title, content, status });
  }
}

/** Otherwise it may still be valid: rate limits and outages are temporary, and other sites' forms are refused. */
function isAboutInvitation({ httpStatus, code }: PublicError): boolean {
  return ![403, 429, 503].includes(httpStatus) && !['REALM_DEACTIVATED', 'NONEXISTENT_SUBDOMAIN'].includes(code);
}
