import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { hostCookie, isSecure, readHostCookies } from './host-cookies';

// A browser is known again by a cookie, also after signing out: people are told of sign-ins from others. It gives no access.

const DEVICE = 'device';
const PATTERN = /^[\w-]{22}$/;
/** As long as browsers keep a cookie. */
const KEPT_MS = 400 * 24 * 3_600_000;

const chosen = new WeakMap<IncomingMessage, string>();

/** The text by which a browser is known: that of its cookie, or a new one, the same for the whole request. */
export function deviceOf(req: IncomingMessage): string {
  const known = chosen.get(req) ?? readHostCookies(req, DEVICE).find((value) => PATTERN.test(value));
  const device = known ?? randomBytes(16).toString('base64url');
  chosen.set(req, device);
  return device;
}

/** The cookie that has the browser known from now on. */
export function deviceCookie(req: IncomingMessage, secure = isSecure(req)): string {
  const expires = new Date(Date.now() + KEPT_MS);
  return hostCookie({ name: DEVICE, value: deviceOf(req), expires, secure });
}
