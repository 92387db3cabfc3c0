import { LINK_SCHEMES } from '../../values';

const schemesWithHost = new Set(['http', 'https', 'ftp']);
const parts = /^(?:(?<scheme>[a-zA-Z][a-zA-Z0-9+.-]*):)?(?:\/\/(?<host>[^/?#]*))?(?<rest>.*)$/s;

/** The address as an href that is safe to follow; null if it is unsafe. */
export function safeHref(written: string): string | null {
  const url = written
    .trim()
    .replace(/[\t\r\n]/g, '')
    .replaceAll(' ', '%20');
  const { scheme = '', host = '', rest = '' } = parts.exec(url)?.groups ?? {};
  if (scheme !== '') return hrefWithScheme(scheme.toLowerCase(), host, url.slice(scheme.length));
  if (host === '' && rest === '') return null;
  const path = /^[^?#]*/.exec(rest)?.[0] ?? '';
  if (host === '' && path.includes('@')) return `mailto:${url}`;
  if (host === '' && !url.startsWith('//') && /^(?:\/|#.)/.test(rest))
    return isAllowedHref(rest) ? withoutEmptyParts(rest) : null;
  return safeHref(`http://${url}`);
}

/** Links into the organization itself are relative, so that they work with any of its host names. */
export function relativeToRealm(href: string, realmUrl: string): string {
  const prefix = `${realmUrl}/`;
  if (!href.startsWith(prefix)) return href;
  const rest = href.slice(prefix.length);
  return rest.startsWith('#') || rest.startsWith('user_uploads/') ? rest : href;
}

function hrefWithScheme(scheme: string, host: string, afterScheme: string): string | null {
  if (!LINK_SCHEMES.includes(scheme)) return null;
  if (host === '' && schemesWithHost.has(scheme)) return null;
  return withoutEmptyParts(`${scheme}${afterScheme}`);
}

/** Removes a question mark or number sign at the end. */
function withoutEmptyParts(url: string): string {
  return url.replace(/#$/, '').replace(/\?(?=#|$)/, '');
}

/**
 * An address with one of the schemes, or one inside the organization: `/…` (but no other host), `#…`, `user_uploads/…`. This
 * checks the written form, so the beginning must not be an entity.
 */
const allowedHref = new RegExp(`^(?:(?:${LINK_SCHEMES.join('|')}):|/(?![/\\\\]|&(?!amp;))|#|user_uploads/)`);

export function isAllowedHref(href: string): boolean {
  return allowedHref.test(href);
}
