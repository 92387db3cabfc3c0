import { ROLES } from './roles';

/** Whom an account lets see its real address, `email_address_visibility`. */
export const EMAIL_VISIBLE_TO = { everyone: 1, members: 2, administrators: 3, nobody: 4, moderators: 5 } as const;

/** The least powerful role that sees the real address of others. */
const LEAST_ROLE: Readonly<Record<number, number>> = {
  [EMAIL_VISIBLE_TO.everyone]: ROLES.guest,
  [EMAIL_VISIBLE_TO.members]: ROLES.member,
  [EMAIL_VISIBLE_TO.moderators]: ROLES.moderator,
  [EMAIL_VISIBLE_TO.administrators]: ROLES.administrator,
};
const NO_ROLE = 0;

/** Do users of that role see the real address of others who have set this? Everybody sees their own. */
export function isEmailVisibleTo(role: number, visibility: number): boolean {
  return role <= (LEAST_ROLE[visibility] ?? NO_ROLE);
}
