import { deleteRowsOfRealm } from '@parley/shared/db';
import { BadRequestError } from '@parley/shared/errors';
import type { Purged, PurgeRealmRequest } from '@parley/shared/proto';
import type { Context } from '../context';
import { blankRealm, isToBePurged, TABLES } from './purge.sql';

const BATCH_SIZE = 1_000;

/** Deletes a batch of what there is of an organization whose data is to be deleted; its row stays, so that nobody gets its subdomain. */
export async function purgeRealm({ db, clock }: Context, { realmId }: PurgeRealmRequest): Promise<Purged> {
  if (!(await isToBePurged(db, realmId, clock.now())))
    throw new BadRequestError('This organization is not to be purged');
  const purged = await deleteRowsOfRealm(db, TABLES, realmId, BATCH_SIZE);
  if (purged.isComplete) await blankRealm(db, realmId, clock.now());
  return purged;
}
