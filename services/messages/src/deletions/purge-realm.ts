import { deleteRowsOfRealm } from '@parley/shared/db';
import type { Purged, PurgeRealmRequest } from '@parley/shared/proto';
import type { Context } from '../context';
import { endUploads, forgetUploadSpace, hasUploads, TABLES } from './purge-realm.sql';

const BATCH_SIZE = 1_000;

/**
 * Deletes a batch of what there is of an organization whose data is to be deleted; not into the archive, and nobody is told. Files
 * expire: their rows go once the gateway has deleted their bytes.
 */
export async function purgeRealm({ db, clock }: Context, { realmId }: PurgeRealmRequest): Promise<Purged> {
  const purged = await deleteRowsOfRealm(db, TABLES, realmId, BATCH_SIZE);
  if (!purged.isComplete) return purged;
  const ended = await endUploads(db, realmId, clock.now(), BATCH_SIZE);
  if (ended > 0 || (await hasUploads(db, realmId))) return { deleted: ended, isComplete: false };
  await forgetUploadSpace(db, realmId);
  return { deleted: 0, isComplete: true };
}
