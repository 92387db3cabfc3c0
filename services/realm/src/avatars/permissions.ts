import { BadRequestError } from '@parley/shared/errors';
import type { User } from '@parley/shared/proto';
import { REFUSAL } from '@parley/shared/texts/refusals';
import { isAdministrator, type RealmSettings } from '@parley/shared/values';

/** Refuses people whose organization locks pictures, except administrators. */
export function requireMayChangeAvatar(
  { role }: Pick<User, 'role'>,
  { avatar_changes_disabled: areChangesDisabled }: Pick<RealmSettings, 'avatar_changes_disabled'>,
): void {
  if (areChangesDisabled && !isAdministrator(role)) {
    throw new BadRequestError(REFUSAL.people.noPictures);
  }
}
