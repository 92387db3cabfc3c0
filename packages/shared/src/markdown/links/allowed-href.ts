const schemes =
  'http https ftp file bitcoin geo im irc ircs magnet mailto matrix mms news nntp openpgp4fpr sip sms smsto ssh tel ' +
  'urn webcal wtai xmpp';

export const allowedSchemes = schemes.split(' ');

/**
 * An address with one of the schemes, or one inside the organization: `/…` (but no other host), `#…`, `user_uploads/…`.
 * What is read here is the written form, so the beginning must not hide behind an entity.
 */
const allowedHref = new RegExp(`^(?:(?:${allowedSchemes.join('|')}):|/(?![/\\\\]|&(?!amp;))|#|user_uploads/)`);

export function isAllowedHref(href: string): boolean {
  return allowedHref.test(href);
}
