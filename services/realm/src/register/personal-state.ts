import type { PersonalState, User, UserStatus } from '@parley/shared/proto';
import { sentSettings } from '../user-settings/begin-settings';
import type { PersonalStateRow } from './register.sql';

/** The user's settings and lists, and statuses, in POST /register. */
export function personalState(
  own: User,
  { chosen, chosenDefaults, ...lists }: PersonalStateRow,
  statuses: UserStatus[],
): PersonalState {
  return {
    settings: sentSettings({ ...chosen, email_address_visibility: own.emailAddressVisibility }),
    settingsDefaults: sentSettings(chosenDefaults),
    ...lists,
    statuses,
  };
}
