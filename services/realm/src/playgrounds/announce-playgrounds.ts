import { announce } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import { playgroundsChanged } from '@parley/shared/events';
import { listPlaygroundsOf } from './playgrounds.sql';

/** Announces the organization's code playgrounds as they are now. */
export async function announcePlaygrounds(tx: Transaction, realmId: number): Promise<void> {
  await announce(tx, playgroundsChanged(realmId, { playgrounds: await listPlaygroundsOf(tx, realmId) }));
}
