import type { MailLink } from '@parley/shared/proto';
import { textLanguage } from '@parley/shared/texts';
import { MAIL_TEXTS } from '@parley/shared/texts/mails';
import { escapeHtml, isMailKind } from '@parley/shared/values';
import type { Context } from '../context';
import type { Answer } from '../http/answer';
import type { Exchange } from '../http/exchange';
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
  if (req.method === 'POST') return done(await services.realm.followMailLink(call, use));
  const link = await services.realm.findMailLink(call, use);
  return link.isDone ? done(link) : question(link);
}

const textsOf = ({ language }: MailLink) => MAIL_TEXTS[textLanguage(language)].pages;

function question(link: MailLink): Answer {
  const texts = textsOf(link);
  const { kind, address, organizationName: name } = link;
  const isEnding = isMailKind(kind);
  const said = isEnding ? texts.end(texts.kinds[kind], name, address) : texts.resume(name, address);
  const content = `<p>${escapeHtml(said)}</p>
<form method="post"><button type="submit">${escapeHtml(isEnding ? texts.endAction : texts.resumeAction)}</button></form>`;
  return page(link, isEnding ? texts.endTitle : texts.resumeTitle, content);
}

function done(link: MailLink): Answer {
  const texts = textsOf(link);
  const { kind, address, organizationName: name } = link;
  if (!isMailKind(kind)) {
    return page(link, texts.resumedTitle, `<p role="status">${escapeHtml(texts.resumed(name, address))}</p>`);
  }
  const content = `<p role="status">${escapeHtml(texts.ended(texts.kinds[kind], name, address))}</p>
<p>${escapeHtml(texts.again)} <a href="/#settings/notifications">${escapeHtml(texts.settings)}</a></p>`;
  return page(link, texts.endedTitle, content);
}

function page({ language }: MailLink, title: string, content: string): Answer {
  return webPage({ title, content, language: textLanguage(language) });
}
