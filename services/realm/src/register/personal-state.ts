import type { PersonalState, User, UserStatus } from '@parley/shared/proto';
import { sentSettings } from '../user-settings/begin-settings';
import type { PersonalStateRow } from './register.sql';

/** What POST /register tells of the user's own settings and lists, and of statuses. */
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
