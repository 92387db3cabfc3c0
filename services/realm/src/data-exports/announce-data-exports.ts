import { announce } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import { dataExportsChanged } from '@parley/shared/events';
import { lockRealm } from '../realms/lock-realm.sql';
import { listAdministratorIds } from '../users/users.sql';
import { listDataExports } from './data-exports.sql';

/** Tells those who administer the organization of all its exports, as they are now. */
export async function announceDataExports(tx: Transaction, realmId: number): Promise<void> {
  // One after the other: the last event tells of all. The rows of exports come before the organization's: nobody waits for one here.
  await lockRealm(tx, realmId);
  const administratorIds = await listAdministratorIds(tx, realmId);
  const exports = await listDataExports(tx, realmId);
  await announce(tx, dataExportsChanged(realmId, { administratorIds, exports }));
}
