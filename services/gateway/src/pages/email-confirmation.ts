import type { EmailChange } from '@parley/shared/proto';
import { escapeHtml } from '@parley/shared/values';
import type { Context } from '../context';
import type { Answer } from '../http/answer';
import type { Exchange } from '../http/exchange';
import type { Page } from '../http/routes';
import { webPage } from '../http/web-page';

/**
 * The page of the link mailed to a new address. Opening it changes nothing, because programs open links in mails before people
 * do. Its button confirms the address.
 */
export function emailConfirmation(ctx: Context): Page {
  return {
    path: '/accounts/confirm_new_email/{key}',
    methods: ['GET', 'POST'],
    isSecret: true,
    isForPeople: true,
    answer: ({ key = '' }, exchange) => answer(ctx, key, exchange),
  };
}

async function answer(ctx: Context, key: string, exchange: Exchange): Promise<Answer> {
  const { services, findSubdomain, rateLimits } = ctx;
  const { req, call } = exchange;
  rateLimits.countAddress(exchange);
  const use = { subdomain: findSubdomain(req.headers.host), key };
  return req.method === 'POST'
    ? done(await services.realm.confirmEmailChange(call, use))
    : question(await services.realm.findEmailChange(call, use));
}

function question({ organizationName, newEmail }: EmailChange): Answer {
  const content = `<p>Your account on <bdi>${escapeHtml(organizationName)}</bdi> will have the address <strong>${escapeHtml(newEmail)}</strong>.</p>
<form method="post"><button type="submit">Confirm the new address</button></form>`;
  return webPage({ title: 'Is this your new email address?', content });
}

function done({ organizationName, newEmail }: EmailChange): Answer {
  const content = `<p role="status">Your account on <bdi>${escapeHtml(organizationName)}</bdi> has the address <strong>${escapeHtml(newEmail)}</strong> now.</p>`;
  return webPage({ title: 'Your email address has changed', content });
}
