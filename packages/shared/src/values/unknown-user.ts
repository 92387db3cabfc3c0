import type { User } from '../proto';
import { EMAIL_VISIBLE_TO } from './email-address-visibility';
import { ROLES } from './roles';

/** What somebody is called to whom they are not shown. */
export const UNKNOWN_USER_NAME = 'Unknown user';

/** Nobody ever gets mail there: the top-level domain is reserved for names that lead nowhere. */
const HIDDEN_DOMAIN = 'hidden.invalid';

const DUMMY = new RegExp(`^user(\\d{1,15})@${HIDDEN_DOMAIN.replace('.', '\\.')}$`, 'i');

/**
 * The address that the API shows where the real one is hidden. SPEC-GAP: it does not name the organization's host, as clients are
 * used to, so that it stays when the host moves.
 */
export function dummyEmail(userId: number): string {
  return `user${userId}@${HIDDEN_DOMAIN}`;
}

/** Whose dummy address it is; null when it is none. */
export function userIdOfDummyEmail(email: string): number | null {
  const digits = DUMMY.exec(email)?.[1];
  return digits === undefined ? null : Number(digits);
}

/** What a guest who may not know a user is shown in their place: nothing but the id is theirs. */
export function unknownUser(realmId: number, userId: number): User {
  return {
    id: userId,
    realmId,
    email: dummyEmail(userId),
    deliveryEmail: '',
    fullName: UNKNOWN_USER_NAME,
    role: ROLES.member,
    isBot: false,
    isActive: true,
    timezone: '',
    avatarSource: 'G',
    avatarVersion: 1,
    emailAddressVisibility: EMAIL_VISIBLE_TO.nobody,
    joinedAtMs: 0,
  };
}
