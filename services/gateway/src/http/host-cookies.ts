import type { IncomingMessage } from 'node:http';
import { parseCookie, stringifySetCookie } from 'cookie';

/** For cookies that only this host can set; browsers refuse the prefix without TLS. */
const HOST_PREFIX = '__Host-';

interface HostCookie {
  name: string;
  value: string;
  expires: Date;
  /** Over TLS only, and then with the prefix. */
  secure: boolean;
  /** Absent: scripts cannot read it. */
  httpOnly?: boolean;
}

/** The header of a cookie that is sent to this host alone, also when somebody follows a link from another site. */
export function hostCookie({ name, value, expires, secure, httpOnly = true }: HostCookie): string {
  return stringifySetCookie({
    name: secure ? HOST_PREFIX + name : name,
    value,
    path: '/',
    expires,
    httpOnly,
    sameSite: 'lax',
    secure,
  });
}

/** The values of a cookie, that of TLS first. Over TLS only that counts: the other one neighboring hosts can set, too. */
export function readHostCookies(req: IncomingMessage, name: string): string[] {
  const { cookie } = req.headers;
  if (cookie === undefined) return [];
  const cookies = parseCookie(cookie);
  const values = [cookies[HOST_PREFIX + name], ...(isSecure(req) ? [] : [cookies[name]])];
  return values.filter((value) => value !== undefined);
}

/** By the address of the page that sends a form, or else as the proxy says. */
export function isSecure({ headers }: IncomingMessage): boolean {
  const { origin, 'x-forwarded-proto': scheme } = headers;
  if (origin !== undefined && origin !== 'null') return origin.startsWith('https:');
  return scheme === 'https';
}
