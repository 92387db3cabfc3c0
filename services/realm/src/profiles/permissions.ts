import { BadRequestError } from '@parley/shared/errors';
import type { ProfileField, User } from '@parley/shared/proto';
import { REFUSAL } from '@parley/shared/texts/refusals';
import { isAdministrator } from '@parley/shared/values';

/** Refuses users who may not edit this field of a profile, their own or another's. */
export function requireMayEditValue(field: Pick<ProfileField, 'isEditableByUser'>, { role }: Pick<User, 'role'>): void {
  if (!field.isEditableByUser && !isAdministrator(role)) {
    throw new BadRequestError(REFUSAL.people.notYourField);
  }
}
