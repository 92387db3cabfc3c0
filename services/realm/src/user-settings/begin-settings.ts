import type { Transaction } from '@parley/shared/db';
import type { User } from '@parley/shared/proto';
import { shownEmail } from '../users/shown-email';
import { copySettingsDefaults, storeEmailVisibility } from './user-settings.sql';

/** Lets a new account begin with what its organization has chosen for such. */
export async function beginSettings(
  tx: Transaction,
  realmId: number,
  user: Pick<User, 'id' | 'deliveryEmail'>,
): Promise<void> {
  const visibility = await copySettingsDefaults(tx, realmId, user.id);
  if (visibility === null) return;
  await storeEmailVisibility(tx, realmId, user.id, { visibility, email: shownEmail(user, visibility) });
}
