/** A user's place in the organization; smaller means more power. */
export const ROLES = { owner: 100, administrator: 200, moderator: 300, member: 400, guest: 600 } as const;

export type Role = (typeof ROLES)[keyof typeof ROLES];

export const ROLE_VALUES: readonly Role[] = Object.values(ROLES);

/** Owners and administrators: whoever administers the organization. */
export function isAdministrator(role: number): boolean {
  return role <= ROLES.administrator;
}

/** Moderators and everybody above them. */
export function isModerator(role: number): boolean {
  return role <= ROLES.moderator;
}

export function isGuest(role: number): boolean {
  return role === ROLES.guest;
}
