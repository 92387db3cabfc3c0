import { StdUriTemplate } from '@std-uritemplate/std-uritemplate';

const schemes =
  'http https ftp file bitcoin geo im irc ircs magnet mailto matrix mms news nntp openpgp4fpr sip sms smsto ssh tel ' +
  'urn webcal wtai xmpp';

/** Schemes of addresses that clients may follow: none of them runs code. */
export const LINK_SCHEMES: readonly string[] = schemes.split(' ');

/** Characters that browsers drop from an address before they look for its scheme. */
const IGNORED = /^[\0- ]+|[\t\r\n]/g;
const SCHEME = /^([a-z][a-z0-9+.-]*):/i;
const VARIABLE = /[^{}+#./;?&,=!@|:*]+/g;

/** Whether clients may get an address: one with a listed scheme, or relative to the organization. Every address is checked. */
export function isSafeUrl(url: string): boolean {
  const scheme = SCHEME.exec(url.replace(IGNORED, ''))?.[1];
  return scheme === undefined || LINK_SCHEMES.includes(scheme.toLowerCase());
}

/** Whether a URL template (RFC 6570) gives safe addresses for any values of its variables. */
export function isSafeUrlTemplate(template: string): boolean {
  const names = [...template.matchAll(/\{([^{}]*)\}/g)].flatMap(([, inner = '']) => inner.match(VARIABLE) ?? []);
  return ['', 'javascript', 'javascript:alert(1)'].every((value) => {
    try {
      return isSafeUrl(StdUriTemplate.expand(template, Object.fromEntries(names.map((name) => [name, value]))));
    } catch {
      return false;
    }
  });
}
