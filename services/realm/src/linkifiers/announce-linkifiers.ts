import { announce } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import { linkifiersChanged } from '@parley/shared/events';
import { listLinkifiersOf } from './linkifiers.sql';

/** Announces the organization's linkifiers as they are now. */
export async function announceLinkifiers(tx: Transaction, realmId: number): Promise<void> {
  await announce(tx, linkifiersChanged(realmId, { linkifiers: await listLinkifiersOf(tx, realmId) }));
}
