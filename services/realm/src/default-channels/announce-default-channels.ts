import { announce } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import { defaultChannelsChanged } from '@parley/shared/events';
import { isGuest, ROLE_VALUES } from '@parley/shared/values';
import { listActiveUserIdsOfRoles } from '../users/users.sql';
import { listDefaultChannelIds } from './default-channels.sql';

const ROLES_TOLD = ROLE_VALUES.filter((role) => !isGuest(role));

/** Announces the organization's default channels as they are now. Called by whoever changes the set, archiving included. */
export async function announceDefaultChannels(tx: Transaction, realmId: number): Promise<void> {
  const channelIds = await listDefaultChannelIds(tx, realmId);
  const receiverIds = await listActiveUserIdsOfRoles(tx, realmId, ROLES_TOLD);
  await announce(tx, defaultChannelsChanged(realmId, { channelIds, receiverIds }));
}
