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
import type { Context, Tables } from '../context';
import { listRetention as loadRetention, TABLES } from './retention.sql';

/** Retention rules for messages, without unlimited ones; they drive deletion. */
export async function listRetention({ db }: Context, request: ListRetentionRequest): Promise<RetentionList> {
  return { realms: await loadRetention(db, request.realmId ?? null, request.withoutChannels === true) };
}

/** Closed organizations whose data is due for deletion, oldest first. */
export async function listRealmsToPurge({ prisma, clock }: Context): Promise<RealmsToPurge> {
  const realms = await prisma.realm.findMany({
    where: { ...toBePurgedAt(clock.now()), dataDeletedAt: null },
    select: { id: true },
    orderBy: [{ dataDeletedFrom: 'asc' }, { id: 'asc' }],
  });
  return { realmIds: realms.map(({ id }) => id) };
}

/** Organizations whose data is due for deletion, or was deleted. */
function toBePurgedAt(nowMs: number) {
  return { isDeactivated: true, dataDeletedFrom: { lte: new Date(nowMs) } };
}

const BATCH_SIZE = 1_000;

/**
 * Deletes a batch of data of an organization that is due for deletion; its row stays and reserves the subdomain. Nothing remains of a
 * broken-off import.
 */
export async function purgeRealm({ db, prisma, clock }: Context, { realmId }: PurgeRealmRequest): Promise<Purged> {
  const now = new Date(clock.now());
  const realm = await prisma.realm.findFirst({
    where: { id: realmId, ...toBePurgedAt(clock.now()) },
    select: { importBeganAt: true },
  });
  if (!realm) throw new BadRequestError('This organization is not to be purged');
  const isImport = realm.importBeganAt !== null;
  // Schedules the deletion of archives, and cancels unfinished exports.
  await prisma.dataExport.updateMany({ where: { realmId, deletedAt: null }, data: { deletedAt: now } });
  const purged = await deleteRowsOfRealm(db, isImport ? [...TABLES, ...KEPT_TABLES] : TABLES, realmId, BATCH_SIZE);
  if (!purged.isComplete) return purged;
  if ((await prisma.dataExport.count({ where: { realmId } })) > 0) return { deleted: 0, isComplete: false };
  if (isImport) await prisma.realm.deleteMany({ where: { id: realmId, importBeganAt: { not: null } } });
  else await blankRealm(prisma, realmId, now);
  return purged;
}

async function blankRealm(prisma: Tables, id: number, dataDeletedAt: Date): Promise<void> {
  const nothing = { name: '', description: '', renderedDescription: '', settings: {} };
  await prisma.realm.updateMany({ where: { id, dataDeletedAt: null }, data: { ...nothing, dataDeletedAt } });
}
