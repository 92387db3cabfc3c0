import type { PublicError } from '@parley/shared/errors';
import { escapeHtml } from '@parley/shared/values';
import { type Answer, headersOf, MethodNotAllowedError, PathNotFoundError } from './answer';
import type { Exchange } from './exchange';
import { isReading } from './foreign-sites';
import { langOf, pageLanguage, pageTexts, refusalOf, type Said } from './page-language';
import { CHOOSE_PATH, SIGN_IN_PATH, webPage } from './web-page';

const API = /^\/(api|json)(\/|$)/;

/** Whether an error is shown to a person: in a browser, and not by the API. */
export function wantsPage({ req, path, isForPeople }: Exchange): boolean {
  return isForPeople || (!API.test(path) && req.headers.accept?.includes('text/html') === true);
}

/** An error as a page: what happened, and what to do about it. */
export function errorPage(error: PublicError, exchange: Exchange): Answer {
  const { title, said = refusalOf(error, exchange), advice = [], link } = wordsFor(error, exchange);
  const lines = [
    `<p role="alert"${langOf(said)}>${escapeHtml(said.text)}</p>`,
    ...advice.map((text) => `<p>${escapeHtml(text)}</p>`),
    ...(link ? [`<p><a href="${escapeHtml(link.to)}">${escapeHtml(link.text)}</a></p>`] : []),
  ];
  const page = webPage(exchange, { title, content: lines.join('\n'), status: error.httpStatus });
  return { ...page, headers: { ...page.headers, ...headersOf(error) } };
}

interface Words {
  title: string;
  /** In place of what the error says. */
  said?: Said;
  advice?: string[];
  link?: { text: string; to: string };
}

function wordsFor(error: PublicError, exchange: Exchange): Words {
  const { errors } = pageTexts(exchange);
  const link = { text: errors.start, to: '/' };
  if (error instanceof PathNotFoundError) return { title: errors.noPageTitle, said: { text: errors.noPage }, link };
  if (error instanceof MethodNotAllowedError) {
    return { title: errors.noMethodTitle, said: { text: errors.noMethod }, link };
  }
  return WORDS[error.code]?.(error, exchange) ?? { title: errors.title };
}

/** By error code. */
const WORDS: Readonly<Record<string, (error: PublicError, exchange: Exchange) => Words>> = {
  REALM_DEACTIVATED: (_error, exchange) => {
    const { errors } = pageTexts(exchange);
    return { title: errors.deactivatedRealmTitle, advice: [errors.deactivatedRealm, errors.reactivateRealm] };
  },
  USER_DEACTIVATED: (_error, exchange) => {
    const { errors } = pageTexts(exchange);
    return { title: errors.deactivatedUserTitle, advice: [errors.deactivatedUser, errors.reactivateUser] };
  },
  NONEXISTENT_SUBDOMAIN: (_error, exchange) => {
    const { errors, choice } = pageTexts(exchange);
    const link = { text: choice.title, to: CHOOSE_PATH };
    return { title: errors.noRealmTitle, said: { text: errors.noRealm }, link };
  },
  UNAUTHORIZED: (_error, exchange) => {
    const { errors, signIn } = pageTexts(exchange);
    const { req } = exchange;
    const next = isReading(req) ? `?next=${encodeURIComponent(req.url as string)}` : '';
    const link = { text: signIn.action, to: SIGN_IN_PATH + next };
    return { title: errors.signedOutTitle, said: { text: errors.signedOut }, link };
  },
  RATE_LIMIT_HIT: ({ fields }, exchange) => {
    const { errors } = pageTexts(exchange);
    const seconds = Number(fields['retry-after']).toLocaleString(pageLanguage(exchange));
    return { title: errors.tooManyTitle, advice: [errors.tooMany(seconds)] };
  },
  SERVER_NOT_READY: (_error, exchange) => {
    const { errors } = pageTexts(exchange);
    return { title: errors.notReadyTitle, advice: [errors.notReady] };
  },
  INTERNAL_SERVER_ERROR: (_error, exchange) => {
    const { errors } = pageTexts(exchange);
    return { title: errors.faultTitle, advice: [errors.fault, errors.faultNumber(exchange.call.requestId)] };
  },
};
