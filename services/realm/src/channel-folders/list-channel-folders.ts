import type { ChannelFolders, ListChannelFoldersRequest } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { listChannelFoldersOf } from './channel-folders.sql';

/** The organization's channel folders, in their order. For everybody. */
// SPEC-GAP: whether guests may see folders is not shown; they hold nothing that a guest may not know.
export async function listChannelFolders(
  ctx: Context,
  { realmId }: Caller,
  { includesArchived }: ListChannelFoldersRequest,
): Promise<ChannelFolders> {
  const folders = await listChannelFoldersOf(ctx.db, realmId);
  return { folders: folders.filter(({ isArchived }) => includesArchived || !isArchived) };
}
