import type { User } from '@parley/shared/proto';
import { EMAIL_VISIBLE_TO } from '@parley/shared/values';

/** Nobody ever gets mail there: the top-level domain is reserved for names that lead nowhere. */
const DOMAIN = 'hidden.invalid';

/**
 * The address that the API shows of an account: the real one when everyone may see it. SPEC-GAP: else one that does not name the
 * organization's host, as clients are used to, so that it stays when the host moves.
 */
export function shownEmail({ id, deliveryEmail }: Pick<User, 'id' | 'deliveryEmail'>, visibility: number): string {
  return visibility === EMAIL_VISIBLE_TO.everyone ? deliveryEmail : `user${id}@${DOMAIN}`;
}
