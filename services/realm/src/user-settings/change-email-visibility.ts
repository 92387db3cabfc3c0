import type { Transaction } from '@parley/shared/db';
import { type DomainEvent, emailVisibilityChanged, userSettingChanged } from '@parley/shared/events';
import type { User } from '@parley/shared/proto';
import { isEmailVisibleTo, ROLE_VALUES } from '@parley/shared/values';
import { audienceWithout, listStrangerIds, NOBODY } from '../users/accessible-users';
import { shownEmail } from '../users/shown-email';
import { listActiveUserIdsOfRoles } from '../users/users.sql';
import { storeEmailVisibility } from './user-settings.sql';

/** Stores who may see the account's real address from now on; returns what is to be announced. */
export async function changeEmailVisibility(tx: Transaction, user: User, visibility: number): Promise<DomainEvent[]> {
  const { id, realmId, emailAddressVisibility: former } = user;
  if (visibility === former) return [];
  const changed = { ...user, emailAddressVisibility: visibility, email: shownEmail(user, visibility) };
  await storeEmailVisibility(tx, realmId, id, { visibility, email: changed.email });
  const strangerIds = await listStrangerIds(tx, realmId, id);
  const viewersOf = (isMeant: (role: number) => boolean) => listViewers(tx, user, strangerIds, isMeant);
  const [gainedByIds, lostByIds] = [
    await viewersOf((role) => isEmailVisibleTo(role, visibility) && !isEmailVisibleTo(role, former)),
    await viewersOf((role) => isEmailVisibleTo(role, former) && !isEmailVisibleTo(role, visibility)),
  ];
  const audience = changed.email === user.email ? NOBODY : audienceWithout(strangerIds);
  return [
    userSettingChanged(realmId, { userId: id, name: 'email_address_visibility', value: visibility }),
    emailVisibilityChanged(realmId, { userId: id, user: changed, gainedByIds, lostByIds, audience }),
  ];
}

async function listViewers(
  tx: Transaction,
  { id, realmId }: User,
  strangerIds: readonly number[],
  isMeant: (role: number) => boolean,
): Promise<number[]> {
  const roles = ROLE_VALUES.filter(isMeant);
  if (roles.length === 0) return [];
  const userIds = await listActiveUserIdsOfRoles(tx, realmId, roles);
  return userIds.filter((userId) => userId !== id && !strangerIds.includes(userId));
}
