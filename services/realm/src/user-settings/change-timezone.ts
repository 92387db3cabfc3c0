import type { Transaction } from '@parley/shared/db';
import { type DomainEvent, timezoneChanged } from '@parley/shared/events';
import type { User } from '@parley/shared/proto';
import { userAudience } from '../users/accessible-users';
import { storeTimezone } from './user-settings.sql';

/** Stores where the user lives, in a transaction that holds the account; returns what is to be announced. */
export async function changeTimezone(tx: Transaction, user: User, timezone: string): Promise<DomainEvent[]> {
  if (timezone === user.timezone) return [];
  await storeTimezone(tx, user.realmId, user.id, timezone);
  const { realmId, id: userId, email } = user;
  const audience = await userAudience(tx, realmId, userId);
  return [timezoneChanged(realmId, { userId, audience, email, timezone })];
}
