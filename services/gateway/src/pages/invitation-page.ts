import { BadRequestError, PublicError } from '@parley/shared/errors';
import type { AcceptInvitationResponse, InvitationFound } from '@parley/shared/proto';
import { escapeHtml, realmUrl } from '@parley/shared/values';
import type { Context } from '../context';
import { type Answer, headersOf, seeOther } from '../http/answer';
import { browserName } from '../http/client-name';
import type { SentParameters } from '../http/decode-parameters';
import { deviceOf } from '../http/device';
import type { Exchange } from '../http/exchange';
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
    answer: ({ key = '' }, exchange) => orNoPage(answer({ ctx, kind, key, exchange })),
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
  return webPage({ title: `Join ${found.organizationName}`, content, status });
}

function formOf({ ctx, kind }: Visit, found: InvitationFound, state: FormState): string {
  // A key opens only the page of its kind.
  if ((found.email === undefined) !== (kind === 'address')) throw new BadRequestError('No such invitation');
  return kind === 'address' ? addressForm(state) : accountForm(found, state, ctx.config.TERMS_URL);
}

async function submit(visit: Visit): Promise<Answer> {
  requireOwnSite(visit.exchange.req);
  const { parameters: sent } = await readForm(visit.exchange.req);
  try {
    const accepted = await accept(visit, sent);
    return (await isSignedIn(visit, accepted, sent.get('password'))) ? seeOther(WELCOME) : done(visit, accepted);
  } catch (error) {
    if (!(error instanceof PublicError)) throw error;
    const page = await showForm(visit, { sent, error: error.message }, error.httpStatus);
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
    defaultLanguage: '',
    defaultChannelGroups: [],
  });
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

function done({ ctx, subdomain }: Visit, accepted: AcceptInvitationResponse): Answer {
  const email = `<strong>${escapeHtml(accepted.deliveryEmail)}</strong>`;
  if (accepted.isConfirmationRequired) {
    const content = `<p role="status">We have sent a link to ${email}. Open it to make your account; it holds for a day.</p>`;
    return webPage({ title: 'Look into your mail', content });
  }
  const url = escapeHtml(realmUrl(subdomain, ctx.config.EXTERNAL_HOST));
  const content = `<p role="status">Your account is ready. Sign in as ${email} at <a href="${url}">${url}</a>.</p>`;
  return webPage({ title: 'Welcome', content });
}

/** Shown for an invalid invitation. */
async function orNoPage(work: Promise<Answer>): Promise<Answer> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof PublicError) || !isAboutInvitation(error)) throw error;
    const content = `<p role="alert">${escapeHtml(error.message)}</p>
<p>Invitations end after some time, and an account is made of each only once. Ask whoever invited you for another one, or sign in if you have an account.</p>`;
    return webPage({ title: 'That did not work', content, status: error.httpStatus === 400 ? 404 : error.httpStatus });
  }
}

/** Otherwise it may still be valid: rate limits and outages are temporary, and other sites' forms are refused. */
function isAboutInvitation({ httpStatus, code }: PublicError): boolean {
  return ![403, 429, 503].includes(httpStatus) && !['REALM_DEACTIVATED', 'NONEXISTENT_SUBDOMAIN'].includes(code);
}
