import { LINK_SCHEMES } from '../../values';

/**
 * An address with one of the schemes, or one inside the organization: `/…` (but no other host), `#…`, `user_uploads/…`.
 * What is read here is the written form, so the beginning must not hide behind an entity.
 */
const allowedHref = new RegExp(`^(?:(?:${LINK_SCHEMES.join('|')}):|/(?![/\\\\]|&(?!amp;))|#|user_uploads/)`);

export function isAllowedHref(href: string): boolean {
  return allowedHref.test(href);
}
