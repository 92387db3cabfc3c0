// Deleted messages move to archived_message and are purged after thirty days. The scheduler calls DeleteExpiredMessages for an organization
// until the reply says complete, and PurgeRealm when nothing of an organization is to remain: then messages go without events and without
// archived copies, and files expire at once.

import { deleteRowsOfRealm, repeatOnConflict } from '@parley/shared/db';
import type {
  DeleteExpiredMessagesRequest,
  DeleteExpiredMessagesResponse,
  ErasePersonRequest,
  Purged,
  PurgeRealmRequest,
  Retention,
} from '@parley/shared/proto';
import { type Call, newCall, timeLeftMs } from '@parley/shared/rpc';
import { FOR_EVER, groupBy } from '@parley/shared/values';
import type { Context } from '../context';
import { deleteMessages, loadChannelsOfDeletion, withOutsidersOfDeletion } from './delete-messages';
import { type ExpiredMessage, listExpiredDirect, listExpiredOfChannels } from './deletion.sql';
import {
  deletePersonalRows,
  endUnusedUploads,
  endUploads,
  listArchivedOf,
  listSent,
  purgeCopies,
  TABLES,
} from './purge.sql';

const BATCH_SIZE = 100;
const DAY_MS = 24 * 60 * 60_000;
/** Batches of a call: the rules of thousands of channels cost more than a batch. */
const MAX_BATCHES = 20;
/** Of the call's time, for the batch that is under way, and the answer. */
const RESERVE_MS = 10_000;

/**
 * Deletes some batches of an organization's messages that are past the retention period of their channel or organization. The rules are
 * loaded with each call, as they may have changed, and who is told of a deletion with each batch.
 */
export async function deleteExpiredMessages(
  ctx: Context,
  call: Call,
  { realmId }: DeleteExpiredMessagesRequest,
): Promise<DeleteExpiredMessagesResponse> {
  const { realms } = await ctx.services.realm.listRetention(newCall(), { realmId });
  const retention = realms.find((realm) => realm.realmId === realmId);
  let deleted = 0;
  for (let batch = 0; retention && batch < MAX_BATCHES; batch += 1) {
    const ids = await repeatOnConflict(realmId, () => deleteBatch(ctx, retention));
    if (ids === null) return { deleted, isComplete: true };
    deleted += ids.length;
    if (timeLeftMs(call) < RESERVE_MS) return { deleted, isComplete: false };
  }
  return { deleted, isComplete: retention === undefined };
}

/** Returns the ids of the deleted messages; null: none is expired. */
async function deleteBatch(ctx: Context, retention: Retention): Promise<number[] | null> {
  const { realmId } = retention;
  const expired = await findExpired(ctx, retention);
  if (expired.length === 0) return null;
  const kinds = await loadChannelsOfDeletion(ctx, realmId, expired);
  const names = new Map(retention.channels.map(({ channelId, name }) => [channelId, name]));
  const channels = new Map([...kinds].map(([id, kind]) => [id, { ...kind, name: names.get(id) ?? '' }]));
  const messageIds = expired.map(({ id }) => id);
  const deletion = { realmId, messageIds, channels, actorIds: [], nowMs: ctx.clock.now() };
  const complete = await withOutsidersOfDeletion(ctx, deletion);
  return ctx.db.transaction((tx) => deleteMessages(tx, complete));
}

/** Those of a channel, by retention period, then direct messages. */
async function findExpired({ db, clock }: Context, { realmId, days, channels }: Retention): Promise<ExpiredMessage[]> {
  const groups = groupBy(channels, (channel) => channel.days ?? days);
  for (const [limitDays, group] of groups) {
    if (limitDays === FOR_EVER) continue;
    const ids = group.map(({ channelId }) => channelId);
    const expired = await listExpiredOfChannels(db, realmId, ids, clock.now() - limitDays * DAY_MS, BATCH_SIZE);
    if (expired.length > 0) return expired;
  }
  return days === FOR_EVER ? [] : listExpiredDirect(db, realmId, clock.now() - days * DAY_MS, BATCH_SIZE);
}

const PURGE_BATCH_SIZE = 1_000;

/**
 * Deletes a batch of rows of an organization that is purged, without copies and without events. Files
 * expire: their rows are deleted after the gateway has deleted their bytes.
 */
export async function purgeRealm({ db, prisma, clock }: Context, { realmId }: PurgeRealmRequest): Promise<Purged> {
  const purged = await deleteRowsOfRealm(db, TABLES, realmId, PURGE_BATCH_SIZE);
  if (!purged.isComplete) return purged;
  const ended = await endUploads(db, realmId, clock.now(), PURGE_BATCH_SIZE);
  const file = await prisma.attachment.findFirst({ where: { realmId }, select: { id: true } });
  if (ended > 0 || file !== null) return { deleted: ended, isComplete: false };
  await prisma.uploadSpace.deleteMany({ where: { realmId } });
  return { deleted: 0, isComplete: true };
}

const ROWS_AT_ONCE = 1_000;

/**
 * Deletes a batch of a user's data: their own rows, messages if requested, and files without links. Messages are deleted without
 * a copy. For the operator's command, which calls until all is deleted.
 */
export async function erasePerson(ctx: Context, request: ErasePersonRequest): Promise<Purged> {
  const { realmId, userId, deletesMessages } = request;
  const rows = await deletePersonalRows(ctx.db, realmId, userId, ROWS_AT_ONCE);
  if (rows > 0) return { deleted: rows, isComplete: false };
  const messages = deletesMessages ? await eraseMessages(ctx, realmId, userId) : 0;
  if (messages > 0) return { deleted: messages, isComplete: false };
  return { deleted: await endUnusedUploads(ctx.db, realmId, userId, ctx.clock.now()), isComplete: true };
}

/** Includes the copies of messages deleted before. */
async function eraseMessages(ctx: Context, realmId: number, userId: number): Promise<number> {
  const found = await listSent(ctx.db, realmId, userId, BATCH_SIZE);
  if (found.length === 0) {
    const archivedIds = await listArchivedOf(ctx.db, realmId, userId, BATCH_SIZE);
    await purgeCopies(ctx.db, realmId, archivedIds);
    return archivedIds.length;
  }
  const channels = await loadChannelsOfDeletion(ctx, realmId, found);
  const messageIds = found.map(({ id }) => id);
  const deletion = { realmId, messageIds, channels, actorIds: [], nowMs: ctx.clock.now() };
  await repeatOnConflict(realmId, async () => {
    const complete = await withOutsidersOfDeletion(ctx, deletion);
    await ctx.db.transaction(async (tx) => purgeCopies(tx, realmId, await deleteMessages(tx, complete)));
  });
  return found.length;
}
