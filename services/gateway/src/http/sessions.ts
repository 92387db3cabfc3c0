import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { BadRequestError, CsrfFailedError, UnauthorizedError } from '@parley/shared/errors';
import type { Credential, FetchedApiKey } from '@parley/shared/proto';
import { REFUSAL } from '@parley/shared/texts/refusals';
import { deviceCookie } from './device';
import { API_PREFIX } from './endpoint';
import type { Exchange } from './exchange';
import { isOwnSite, isReading } from './foreign-sites';
import { hostCookie, isSecure, readHostCookies } from './host-cookies';

// Browsers sign in once and get a session: an API key with an end, in a cookie that scripts cannot read. Below /json/ they call the same
// endpoints as programs do below /api/v1/ with keys. What changes something also needs a token that other sites cannot know.

export const JSON_PREFIX = '/json';
const [SESSION, TOKEN] = ['sessionid', 'csrftoken'] as const;
const TOKEN_HEADER = 'x-csrftoken';
const KEY = /^[A-Za-z0-9]{32}$/;

/** A request that came below /json/. */
interface JsonRequest extends IncomingMessage {
  isJson?: true;
}

/** Addresses a request below /json/ as one below /api/v1/, and remembers where it came. Called for every request. */
export function takeJsonPrefix(req: IncomingMessage): void {
  const url = req.url as string;
  if (!url.startsWith(`${JSON_PREFIX}/`)) return;
  req.url = API_PREFIX + url.slice(JSON_PREFIX.length);
  (req as JsonRequest).isJson = true;
}

/** Whether a request came below /json/, where only sessions are credentials. */
export function isJson(req: IncomingMessage): boolean {
  return (req as JsonRequest).isJson === true;
}

/** Whether a request has a key or a session, good or not. */
export function hasCredential({ req, path }: Exchange): boolean {
  if (!isJson(req) && req.headers.authorization !== undefined) return true;
  return takesSessions(req, path) && sessionKey(req) !== undefined;
}

/** Below /api/v1/ only keys are credentials; pages and files take both, and a key goes before a session. */
export function isBySession({ req, path }: Exchange): boolean {
  return takesSessions(req, path) && (isJson(req) || req.headers.authorization === undefined);
}

function takesSessions(req: IncomingMessage, path: string): boolean {
  return isJson(req) || !path.startsWith(`${API_PREFIX}/`);
}

/** The session of a request. Throws if there is none, and if something would be changed by another site. */
export function credentialFromSession(subdomain: string, { req }: Exchange): Credential {
  const key = sessionKey(req);
  if (key === undefined) throw new UnauthorizedError('Not logged in: API authentication or user session required');
  if (!isReading(req)) isJson(req) ? requireToken(req, key) : requireOwnSite(req);
  return { subdomain, email: '', apiKeyHash: hash('sha256', key, 'buffer'), isSession: true };
}

function requireToken(req: IncomingMessage, key: string): void {
  const sent = req.headers[TOKEN_HEADER];
  if (isOwnSite(req) && typeof sent === 'string' && isSame(sent, tokenOf(key))) return;
  throw new CsrfFailedError();
}

/** For forms without scripts, which send no token. Nobody is signed in by another site's form either, to an account that is not theirs. */
export function requireOwnSite(req: IncomingMessage): void {
  if (isOwnSite(req)) return;
  throw new BadRequestError(REFUSAL.requests.otherSite, {}, 403);
}

/** The token of a session follows from its key, so no cookie of a neighboring host can replace it. */
function tokenOf(key: string): string {
  return createHmac('sha256', key).update('csrf').digest('base64url');
}

function isSame(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}

function sessionKey(req: IncomingMessage): string | undefined {
  return readHostCookies(req, SESSION).find((key) => KEY.test(key));
}

/** The cookies of a new session. `secure` says whether the page has TLS, where that is known better than from the request. */
export function cookiesOf(
  req: IncomingMessage,
  { apiKey, expiresAtMs = 0 }: FetchedApiKey,
  secure = isSecure(req),
): string[] {
  const expires = new Date(expiresAtMs);
  // The client's scripts send the token in a header.
  const token = { name: TOKEN, value: tokenOf(apiKey), expires, secure, httpOnly: false };
  const session = hostCookie({ name: SESSION, value: apiKey, expires, secure });
  return [session, hostCookie(token), deviceCookie(req, secure)];
}

/** Removes the cookies of a session. */
export function noCookies(req: IncomingMessage): string[] {
  const [secure, expires] = [isSecure(req), new Date(0)];
  return [SESSION, TOKEN].map((name) => hostCookie({ name, value: '', expires, secure, httpOnly: name === SESSION }));
}
