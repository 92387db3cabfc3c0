import { deleteRowsOfRealm } from '@parley/shared/db';
import { BadRequestError } from '@parley/shared/errors';
import type {
  ListRetentionRequest,
  Purged,
  PurgeRealmRequest,
  RealmsToPurge,
  RetentionList,
} from '@parley/shared/proto';
import { KEPT_TABLES } from '../audit/audit.sql';
import type { Context } from '../context';
import { endDataExports, hasDataExports } from '../data-exports/data-exports.sql';
import {
  blankRealm,
  deleteImported,
  isBeingImported,
  isToBePurged,
  listRealmsToPurge as listIds,
  listRetention as loadRetention,
  TABLES,
} from './retention.sql';

/** How long messages are kept, wherever not for ever: what their deletion goes by. */
export async function listRetention({ db }: Context, { realmId }: ListRetentionRequest): Promise<RetentionList> {
  return { realms: await loadRetention(db, realmId ?? null) };
}

/** Closed organizations whose data is to be deleted by now, whoever was closed first at first. */
export async function listRealmsToPurge({ db, clock }: Context): Promise<RealmsToPurge> {
  return { realmIds: await listIds(db, clock.now()) };
}

const BATCH_SIZE = 1_000;

/**
 * Deletes a batch of what there is of an organization whose data is to be deleted; its row stays, so that nobody gets its subdomain. Of
 * an import that broke off nothing stays.
 */
export async function purgeRealm({ db, clock }: Context, { realmId }: PurgeRealmRequest): Promise<Purged> {
  if (!(await isToBePurged(db, realmId, clock.now())))
    throw new BadRequestError('This organization is not to be purged');
  const isImport = await isBeingImported(db, realmId);
  await endDataExports(db, realmId, clock.now());
  const purged = await deleteRowsOfRealm(db, isImport ? [...TABLES, ...KEPT_TABLES] : TABLES, realmId, BATCH_SIZE);
  if (!purged.isComplete) return purged;
  if (await hasDataExports(db, realmId)) return { deleted: 0, isComplete: false };
  if (isImport) await deleteImported(db, realmId);
  else await blankRealm(db, realmId, clock.now());
  return purged;
}
