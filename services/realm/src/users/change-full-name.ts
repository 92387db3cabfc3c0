import type { Transaction } from '@parley/shared/db';
import { type DomainEvent, userRenamed } from '@parley/shared/events';
import type { User } from '@parley/shared/proto';
import { nameKey } from '../name-key';
import { userAudience } from './accessible-users';
import { storeFullName } from './users.sql';

/** Stores a full name that was checked, in a transaction that holds the account; returns what is to be announced. */
export async function changeFullName(tx: Transaction, user: User, fullName: string): Promise<DomainEvent[]> {
  if (fullName === user.fullName) return [];
  const { id: userId, realmId } = user;
  await storeFullName(tx, { realmId, userId, fullName, fullNameKey: nameKey(fullName) });
  const audience = await userAudience(tx, realmId, userId);
  return [userRenamed(realmId, { userId, audience, fullName })];
}
