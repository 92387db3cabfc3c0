import { settingsTexts } from '../../texts/settings-texts';

const OWNER = 100;
/** As the API numbers them, the most powerful first. */
const ROLES = [OWNER, 200, 300, 400, 600] as const;

export const MEMBER = 400;

export function roleName(role: number): string {
  return settingsTexts.value.roles[role] ?? '';
}

/** Only owners make others owners. */
export function roleChoices(hasOwner: boolean): (readonly [number, string])[] {
  return ROLES.filter((role) => hasOwner || role !== OWNER).map((role) => [role, roleName(role)]);
}
