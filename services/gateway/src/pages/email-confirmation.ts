import type { EmailChange } from '@parley/shared/proto';
import { escapeHtml } from '@parley/shared/values';
import type { Context } from '../context';
import type { Answer } from '../http/answer';
import type { Exchange } from '../http/exchange';
import { bdi, markedUp, pageTexts, strong } from '../http/page-language';
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
    ? done(exchange, await services.realm.confirmEmailChange(call, use))
    : question(exchange, await services.realm.findEmailChange(call, use));
}

function question(exchange: Exchange, { organizationName, newEmail, language }: EmailChange): Answer {
  exchange.mailLanguage = language;
  const { newAddress: texts } = pageTexts(exchange);
  const content = `<p>${markedUp(texts.question, bdi(organizationName), strong(newEmail))}</p>
<form method="post"><button type="submit">${escapeHtml(texts.action)}</button></form>`;
  return webPage(exchange, { title: texts.title, content });
}

function done(exchange: Exchange, { organizationName, newEmail, language }: EmailChange): Answer {
  exchange.mailLanguage = language;
  const { newAddress: texts } = pageTexts(exchange);
  const content = `<p role="status">${markedUp(texts.done, bdi(organizationName), strong(newEmail))}</p>`;
  return webPage(exchange, { title: texts.doneTitle, content });
}
