import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { loadReader } from '../messages/load-reader';
import { listByPath, type UploadRow } from './attachment.sql';
import { listPlaces } from './link.sql';
import { mayDownload } from './permissions';

/**
 * The stored files among those that a content names which its author may have; of others nothing may be shown, and linking to
 * them gives nobody access. Asks nothing when no file is named, and realm only about files of others.
 */
export async function findUploads(ctx: Context, author: Caller, pathIds: readonly string[]): Promise<UploadRow[]> {
  const own = pathIds.filter((pathId) => pathId.startsWith(`${author.realmId}/`));
  if (own.length === 0) return [];
  const rows = (await listByPath(ctx.db, author.realmId, own)).filter(({ state }) => state === 'stored');
  const ofOthers = rows.filter(({ ownerId }) => ownerId !== author.userId);
  if (ofOthers.length === 0) return rows;
  const isReadable = await readableAmong(ctx, author, ofOthers);
  return rows.filter((row) => row.ownerId === author.userId || isReadable(row));
}

async function readableAmong(ctx: Context, author: Caller, rows: readonly UploadRow[]) {
  const [reader, places] = await Promise.all([
    loadReader(ctx, author),
    listPlaces(
      ctx.db,
      author.realmId,
      rows.map(({ id }) => id),
    ),
  ]);
  return ({ id, ownerId }: UploadRow) =>
    mayDownload(
      ownerId,
      places.filter(({ attachmentId }) => attachmentId === id),
      reader,
    );
}
