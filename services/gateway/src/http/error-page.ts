import type { PublicError } from '@parley/shared/errors';
import { escapeHtml } from '@parley/shared/values';
import { type Answer, headersOf, MethodNotAllowedError, PathNotFoundError } from './answer';
import type { Exchange } from './exchange';
import { isReading } from './foreign-sites';
import { CHOOSE_PATH, SIGN_IN_PATH, webPage } from './web-page';

const API = /^\/(api|json)(\/|$)/;

/** Whether an error is shown to a person: in a browser, and not by the API. */
export function wantsPage({ req, path, isForPeople }: Exchange): boolean {
  return isForPeople || (!API.test(path) && req.headers.accept?.includes('text/html') === true);
}

/** An error as a page: what happened, and what to do about it. */
export function errorPage(error: PublicError, exchange: Exchange): Answer {
  const { title, message = error.message, advice = [], link } = wordsFor(error, exchange);
  const lines = [
    `<p role="alert">${escapeHtml(message)}</p>`,
    ...advice.map((text) => `<p>${escapeHtml(text)}</p>`),
    ...(link ? [`<p><a href="${escapeHtml(link.to)}">${escapeHtml(link.text)}</a></p>`] : []),
  ];
  const page = webPage({ title, content: lines.join('\n'), status: error.httpStatus });
  return { ...page, headers: { ...page.headers, Vary: 'Authorization, Cookie, Accept', ...headersOf(error) } };
}

interface Words {
  title: string;
  /** In place of the error's, which was written for programmers. */
  message?: string;
  advice?: string[];
  link?: { text: string; to: string };
}

const START = { text: 'Go to the start page', to: '/' };

function wordsFor(error: PublicError, exchange: Exchange): Words {
  if (error instanceof PathNotFoundError) {
    return { title: 'There is no such page', message: 'Check its address for typing errors.', link: START };
  }
  if (error instanceof MethodNotAllowedError) {
    return { title: 'That cannot be done here', message: 'This address takes no such request.', link: START };
  }
  return WORDS[error.code]?.(error, exchange) ?? { title: 'That did not work' };
}

/** By error code. */
const WORDS: Readonly<Record<string, (error: PublicError, exchange: Exchange) => Words>> = {
  REALM_DEACTIVATED: () => ({
    title: 'This organization is deactivated',
    advice: [
      'Nobody can sign in to it, and nothing in it can be read or sent. What was written is kept.',
      'If you still need it, ask an administrator of the organization: the operators of this server can reactivate it.',
    ],
  }),
  USER_DEACTIVATED: () => ({
    title: 'Your account is deactivated',
    advice: [
      'You cannot sign in with it. Your messages are kept.',
      'If you still need it, ask an administrator of the organization, who can reactivate it.',
    ],
  }),
  NONEXISTENT_SUBDOMAIN: () => ({
    title: 'There is no organization at this address',
    message: 'Check the address for typing errors.',
    link: { text: 'Choose an organization', to: CHOOSE_PATH },
  }),
  UNAUTHORIZED: (_error, { req }) => ({
    title: 'You are not signed in',
    message: 'This page is for people with an account.',
    link: {
      text: 'Sign in',
      to: `${SIGN_IN_PATH}${isReading(req) ? `?next=${encodeURIComponent(req.url as string)}` : ''}`,
    },
  }),
  RATE_LIMIT_HIT: ({ fields }) => ({
    title: 'Too many requests',
    advice: [`Wait ${fields['retry-after']} seconds, then load the page again.`],
  }),
  SERVER_NOT_READY: () => ({
    title: 'The server is not ready',
    advice: ['Wait a few seconds, then load the page again.'],
  }),
  INTERNAL_SERVER_ERROR: (_error, { call }) => ({
    title: 'Something went wrong',
    advice: [
      'The fault is the server’s. Try again later.',
      `If it happens again, tell the operators of this server the number of this request: ${call.requestId}`,
    ],
  }),
};
