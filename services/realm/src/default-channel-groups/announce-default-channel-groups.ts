import { announce } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import { defaultChannelGroupsChanged } from '@parley/shared/events';
import { isGuest, ROLE_VALUES } from '@parley/shared/values';
import { listActiveUserIdsOfRoles } from '../users/users.sql';
import { listDefaultChannelGroups } from './default-channel-groups.sql';

const ROLES_TOLD = ROLE_VALUES.filter((role) => !isGuest(role));

/** Announces the organization's sets of channels as they are now. */
export async function announceDefaultChannelGroups(tx: Transaction, realmId: number): Promise<void> {
  const groups = await listDefaultChannelGroups(tx, realmId);
  const receiverIds = await listActiveUserIdsOfRoles(tx, realmId, ROLES_TOLD);
  await announce(tx, defaultChannelGroupsChanged(realmId, { groups, receiverIds }));
}
