import { PublicError } from '@parley/shared/errors';
import type { PasswordReset } from '@parley/shared/proto';
import { escapeHtml, PASSWORD_LIMITS } from '@parley/shared/values';
import type { Context } from '../context';
import { type Answer, headersOf } from '../http/answer';
import type { Exchange } from '../http/exchange';
import { bdi, markedUp, pageTexts, refusalOf, strong } from '../http/page-language';
import { readForm } from '../http/read-form';
import type { Page } from '../http/routes';
import { requireOwnSite } from '../http/sessions';
import { SIGN_IN_PATH, webPage } from '../http/web-page';
import { errorText, field, MAX_EMAIL_LENGTH } from './form-field';
import { openOrganization } from './organization';

export const FORGOTTEN_PATH = '/accounts/password/reset';

/** Asks for the address to which the link for a new password is mailed. */
export function forgottenPasswordPage(ctx: Context): Page {
  return {
    path: FORGOTTEN_PATH,
    methods: ['GET', 'POST'],
    isForPeople: true,
    answer: (_path, exchange) => answerForgotten(ctx, exchange),
  };
}

async function answerForgotten(ctx: Context, exchange: Exchange): Promise<Answer> {
  const { req, call } = exchange;
  ctx.rateLimits.countAddress(exchange);
  const { name, subdomain } = await openOrganization(ctx, exchange);
  const { common, newPassword: texts } = pageTexts(exchange);
  if (req.method !== 'POST') return addressForm(exchange, name);
  requireOwnSite(req);
  ctx.rateLimits.countOwn(exchange, 'signIns');
  const { parameters: sent } = await readForm(req);
  const email = sent.get('email') ?? '';
  await ctx.services.realm.requestPasswordReset(call, { subdomain, email });
  // The same with and without an account.
  const content = `<p role="status">${markedUp(texts.mailed, strong(email))}</p>`;
  return webPage(exchange, { title: common.mailedTitle, content });
}

function addressForm(exchange: Exchange, organizationName: string): Answer {
  const { common, newPassword: texts } = pageTexts(exchange);
  const email = field({
    name: 'email',
    label: common.yourEmail,
    type: 'email',
    autocomplete: 'username',
    hint: texts.askHint,
    isFirst: true,
    maxLength: MAX_EMAIL_LENGTH,
  });
  const content = `<form method="post">
${email}<button type="submit">${escapeHtml(common.sendLink)}</button>
</form>`;
  return webPage(exchange, { title: texts.askTitle(organizationName), content });
}

/** The page of the mailed link. Opening it changes nothing. */
export function newPasswordPage(ctx: Context): Page {
  return {
    path: `${FORGOTTEN_PATH}/{key}`,
    methods: ['GET', 'POST'],
    isSecret: true,
    isForPeople: true,
    answer: ({ key = '' }, exchange) => answerNew(ctx, exchange, key),
  };
}

async function answerNew(ctx: Context, exchange: Exchange, key: string): Promise<Answer> {
  const { req, call } = exchange;
  ctx.rateLimits.countAddress(exchange);
  const use = { subdomain: ctx.findSubdomain(req.headers.host), key };
  const reset = await ctx.services.realm.findPasswordReset(call, use);
  exchange.mailLanguage = reset.language;
  if (req.method !== 'POST') return passwordForm(exchange, reset, null);
  requireOwnSite(req);
  const { parameters: sent } = await readForm(req);
  try {
    const newPassword = sent.get('password') ?? '';
    return done(exchange, await ctx.services.realm.setForgottenPassword(call, { ...use, newPassword }));
  } catch (error) {
    if (!(error instanceof PublicError) || error.httpStatus !== 400) throw error;
    const page = passwordForm(exchange, reset, error);
    return { ...page, headers: { ...page.headers, ...headersOf(error) } };
  }
}

function passwordForm(exchange: Exchange, { email, organizationName }: PasswordReset, error: PublicError | null) {
  const { common, newPassword: texts } = pageTexts(exchange);
  const { minLength, maxLength } = PASSWORD_LIMITS;
  const password = field({
    name: 'password',
    label: texts.label,
    type: 'password',
    autocomplete: 'new-password',
    hint: common.passwordHint(String(minLength), String(maxLength)),
    isFirst: error === null,
    minLength,
    maxLength,
  });
  // Password managers store the new password for this name.
  const content = `${errorText(error && refusalOf(error, exchange))}<p>${markedUp(texts.account, bdi(organizationName), strong(email))}</p>
<form method="post">
<input type="hidden" name="username" value="${escapeHtml(email)}" autocomplete="username">
${password}<button type="submit">${escapeHtml(texts.action)}</button>
</form>`;
  return webPage(exchange, { title: texts.title, content, status: error?.httpStatus ?? 200 });
}

function done(exchange: Exchange, { email }: PasswordReset): Answer {
  const { newPassword: texts, signIn } = pageTexts(exchange);
  const content = `<p role="status">${markedUp(texts.done, strong(email))}</p>
<p><a href="${SIGN_IN_PATH}">${escapeHtml(signIn.action)}</a></p>`;
  return webPage(exchange, { title: texts.doneTitle, content });
}
