import type { MailLink } from '@parley/shared/proto';
import { escapeHtml, isMailKind } from '@parley/shared/values';
import type { Context } from '../context';
import type { Answer } from '../http/answer';
import type { Exchange } from '../http/exchange';
import { pageTexts } from '../http/page-language';
import type { Page } from '../http/routes';
import { webPage } from '../http/web-page';

/**
 * The page of the link that ends mails of one kind, without signing in. Opening it changes nothing, because programs open links in mails before people
 * do. Its button ends them, and so does a mail program by one click (RFC 8058): the form is taken from any site, as the key says who asks.
 */
export function unsubscribePage(ctx: Context): Page {
  return {
    path: '/unsubscribe/{key}',
    methods: ['GET', 'POST'],
    isSecret: true,
    isForPeople: true,
    answer: ({ key = '' }, exchange) => answer(ctx, key, exchange),
  };
}

async function answer({ services, findSubdomain, rateLimits }: Context, key: string, exchange: Exchange) {
  const { req, call } = exchange;
  rateLimits.countAddress(exchange);
  const use = { subdomain: findSubdomain(req.headers.host), key };
  const isFollowed = req.method === 'POST';
  const link = await (isFollowed ? services.realm.followMailLink(call, use) : services.realm.findMailLink(call, use));
  exchange.mailLanguage = link.language;
  return isFollowed || link.isDone ? done(exchange, link) : question(exchange, link);
}

function question(exchange: Exchange, link: MailLink): Answer {
  const { mailLinks: texts } = pageTexts(exchange);
  const { kind, address, organizationName: name } = link;
  const isEnding = isMailKind(kind);
  const said = isEnding ? texts.end(texts.kinds[kind], name, address) : texts.resume(name, address);
  const content = `<p>${escapeHtml(said)}</p>
<form method="post"><button type="submit">${escapeHtml(isEnding ? texts.endAction : texts.resumeAction)}</button></form>`;
  return webPage(exchange, { title: isEnding ? texts.endTitle : texts.resumeTitle, content });
}

function done(exchange: Exchange, link: MailLink): Answer {
  const { mailLinks: texts } = pageTexts(exchange);
  const { kind, address, organizationName: name } = link;
  if (!isMailKind(kind)) {
    const content = `<p role="status">${escapeHtml(texts.resumed(name, address))}</p>`;
    return webPage(exchange, { title: texts.resumedTitle, content });
  }
  const content = `<p role="status">${escapeHtml(texts.ended(texts.kinds[kind], name, address))}</p>
<p>${escapeHtml(texts.again)} <a href="/#settings/notifications">${escapeHtml(texts.settings)}</a></p>`;
  return webPage(exchange, { title: texts.endedTitle, content });
}
