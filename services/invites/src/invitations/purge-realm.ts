import { deleteRowsOfRealm } from '@parley/shared/db';
import type { Purged, PurgeRealmRequest } from '@parley/shared/proto';
import type { Context } from '../context';
import { TABLES } from './ended-invitations.sql';

const BATCH_SIZE = 1_000;

/** Deletes a batch of what there is of an organization whose data is to be deleted. */
export function purgeRealm({ db }: Pick<Context, 'db'>, { realmId }: PurgeRealmRequest): Promise<Purged> {
  return deleteRowsOfRealm(db, TABLES, realmId, BATCH_SIZE);
}
