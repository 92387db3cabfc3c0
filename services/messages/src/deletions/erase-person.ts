import { repeatOnConflict } from '@parley/shared/db';
import type { ErasePersonRequest, Purged } from '@parley/shared/proto';
import type { Context } from '../context';
import { deleteMessages, toldOutside } from './delete-messages';
import { deletePersonalRows, endUnusedUploads, forgetArchived, listArchivedOf, listSent } from './erase-person.sql';
import { loadChannelsOfDeletion } from './load-channels-of-deletion';

const BATCH_SIZE = 100;
const ROWS_AT_ONCE = 1_000;

/**
 * Deletes a batch of what there is of a person: what is their own, messages if that is wanted, and files that nothing links to. Of
 * messages nothing is kept for a while, as of others that are deleted. For the operator's command, which calls until all is gone.
 */
export async function erasePerson(ctx: Context, request: ErasePersonRequest): Promise<Purged> {
  const { realmId, userId, deletesMessages } = request;
  const rows = await deletePersonalRows(ctx.db, realmId, userId, ROWS_AT_ONCE);
  if (rows > 0) return { deleted: rows, isComplete: false };
  const messages = deletesMessages ? await eraseMessages(ctx, realmId, userId) : 0;
  if (messages > 0) return { deleted: messages, isComplete: false };
  return { deleted: await endUnusedUploads(ctx.db, realmId, userId, ctx.clock.now()), isComplete: true };
}

/** Also those that were deleted before, and are kept for a while. */
async function eraseMessages(ctx: Context, realmId: number, userId: number): Promise<number> {
  const found = await listSent(ctx.db, realmId, userId, BATCH_SIZE);
  if (found.length === 0) {
    const archivedIds = await listArchivedOf(ctx.db, realmId, userId, BATCH_SIZE);
    await forgetArchived(ctx.db, realmId, archivedIds);
    return archivedIds.length;
  }
  const channels = await loadChannelsOfDeletion(ctx, realmId, found);
  const messageIds = found.map(({ id }) => id);
  const deletion = { realmId, messageIds, channels, actorIds: [], nowMs: ctx.clock.now() };
  await repeatOnConflict(realmId, async () => {
    const told = await toldOutside(ctx, deletion);
    await ctx.db.transaction(async (tx) => forgetArchived(tx, realmId, await deleteMessages(tx, told)));
  });
  return found.length;
}
