import { PublicError } from '@parley/shared/errors';
import type { PasswordReset } from '@parley/shared/proto';
import { escapeHtml, PASSWORD_LIMITS } from '@parley/shared/values';
import type { Context } from '../context';
import { type Answer, headersOf } from '../http/answer';
import type { Exchange } from '../http/exchange';
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
  if (req.method !== 'POST') return addressForm(name);
  requireOwnSite(req);
  ctx.rateLimits.countOwn(exchange, 'signIns');
  const { parameters: sent } = await readForm(req);
  const email = sent.get('email') ?? '';
  await ctx.services.realm.requestPasswordReset(call, { subdomain, email });
  // The same with and without an account.
  const content = `<p role="status">If <strong>${escapeHtml(email)}</strong> has an account here, we have sent a link to it. Open it to set a new password; it holds for a day.</p>`;
  return webPage({ title: 'Look into your mail', content });
}

function addressForm(organizationName: string): Answer {
  const email = field({
    name: 'email',
    label: 'Your email address',
    type: 'email',
    autocomplete: 'username',
    hint: 'We send you a link by which you set a new password.',
    isFirst: true,
    maxLength: MAX_EMAIL_LENGTH,
  });
  const content = `<form method="post">
${email}<button type="submit">Send the link</button>
</form>`;
  return webPage({ title: `A new password for ${organizationName}`, content });
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
  if (req.method !== 'POST') return passwordForm(reset, null);
  requireOwnSite(req);
  const { parameters: sent } = await readForm(req);
  try {
    return done(
      await ctx.services.realm.setForgottenPassword(call, { ...use, newPassword: sent.get('password') ?? '' }),
    );
  } catch (error) {
    if (!(error instanceof PublicError) || error.httpStatus !== 400) throw error;
    const page = passwordForm(reset, error.message, error.httpStatus);
    return { ...page, headers: { ...page.headers, ...headersOf(error) } };
  }
}

function passwordForm({ email, organizationName }: PasswordReset, error: string | null, status = 200): Answer {
  const { minLength, maxLength } = PASSWORD_LIMITS;
  const password = field({
    name: 'password',
    label: 'New password',
    type: 'password',
    autocomplete: 'new-password',
    hint: `${minLength} to ${maxLength} characters, and not easy to guess.`,
    isFirst: error === null,
    minLength,
    maxLength,
  });
  // Password managers store the new password for this name.
  const content = `${errorText(error)}<p>Your account on <bdi>${escapeHtml(organizationName)}</bdi> has the address <strong>${escapeHtml(email)}</strong>.</p>
<form method="post">
<input type="hidden" name="username" value="${escapeHtml(email)}" autocomplete="username">
${password}<button type="submit">Set the password</button>
</form>`;
  return webPage({ title: 'Choose a new password', content, status });
}

function done({ email }: PasswordReset): Answer {
  const content = `<p role="status">The password of <strong>${escapeHtml(email)}</strong> is set. All browsers were signed out.</p>
<p><a href="${SIGN_IN_PATH}">Sign in</a></p>`;
  return webPage({ title: 'Your password is set', content });
}
