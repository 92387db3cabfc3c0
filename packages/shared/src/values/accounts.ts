import type { User } from '../proto';

/** A user's role in the organization; smaller means more powerful. */
export const ROLES = { owner: 100, administrator: 200, moderator: 300, member: 400, guest: 600 } as const;

export type Role = (typeof ROLES)[keyof typeof ROLES];

export const ROLE_VALUES: readonly Role[] = Object.values(ROLES);

/** Owners and administrators. */
export function isAdministrator(role: number): boolean {
  return role <= ROLES.administrator;
}

/** Moderators, administrators and owners. */
export function isModerator(role: number): boolean {
  return role <= ROLES.moderator;
}

export function isGuest(role: number): boolean {
  return role === ROLES.guest;
}

const MAX_LENGTH = 254;
// As browsers check <input type=email>: plain ASCII, and no colon, which would end the name in HTTP Basic.
const LOCAL_PART = /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}$/;
const LABEL = /^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;

/** Whether a text is a valid address for accounts and mails; it cannot end a header or a list. */
export function isEmailAddress(text: string): boolean {
  const at = text.lastIndexOf('@');
  const labels = text.slice(at + 1).split('.');
  return (
    at > 0 &&
    text.length <= MAX_LENGTH &&
    LOCAL_PART.test(text.slice(0, at)) &&
    labels.every((label) => LABEL.test(label))
  );
}

/** The users who may see the real address: `email_address_visibility`. */
export const EMAIL_VISIBLE_TO = { everyone: 1, members: 2, administrators: 3, nobody: 4, moderators: 5 } as const;

/** The least powerful role that sees the real address of others. */
const LEAST_ROLE: Readonly<Record<number, number>> = {
  [EMAIL_VISIBLE_TO.everyone]: ROLES.guest,
  [EMAIL_VISIBLE_TO.members]: ROLES.member,
  [EMAIL_VISIBLE_TO.moderators]: ROLES.moderator,
  [EMAIL_VISIBLE_TO.administrators]: ROLES.administrator,
};
const NO_ROLE = 0;

/** Whether users of that role see the real address of others with this setting. All see their own. */
export function isEmailVisibleTo(role: number, visibility: number): boolean {
  return role <= (LEAST_ROLE[visibility] ?? NO_ROLE);
}

/** Limits of a password, by length in code points and by estimated guesses; announced in POST /register. */
export const PASSWORD_LIMITS = { minLength: 6, maxLength: 100, minGuesses: 10_000 } as const;

/** The user id of visitors without an account, who may read web-public channels where visitors are admitted. */
export const VISITOR_ID = 0;

export function isVisitor({ userId }: { userId: number }): boolean {
  return userId === VISITOR_ID;
}

/** The name of a user that the viewer may not see. */
export const UNKNOWN_USER_NAME = 'Unknown user';

/** `.invalid` is reserved for names that do not exist: no mail ever arrives. */
const HIDDEN_DOMAIN = 'hidden.invalid';

const DUMMY = new RegExp(`^user(\\d{1,15})@${HIDDEN_DOMAIN.replace('.', '\\.')}$`, 'i');

/**
 * The address that the API shows if the real one is hidden. SPEC-GAP: unlike what clients are used to, it does not contain the
 * organization's host, so that it stays the same if the host changes.
 */
export function dummyEmail(userId: number): string {
  return `user${userId}@${HIDDEN_DOMAIN}`;
}

/** The user of a dummy address; null for other addresses. */
export function userIdOfDummyEmail(email: string): number | null {
  const digits = DUMMY.exec(email)?.[1];
  return digits === undefined ? null : Number(digits);
}

/** The user shown to a guest who may not see the real one: only the id is real. */
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
