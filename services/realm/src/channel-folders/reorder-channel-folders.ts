import { announce } from '@parley/shared/bus';
import { BadRequestError } from '@parley/shared/errors';
import { channelFoldersReordered } from '@parley/shared/events';
import type { ReorderChannelFoldersRequest, ReorderChannelFoldersResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { requireAdministrator } from '../guards';
import { changeOrganization } from '../realms/change-organization';
import { listChannelFoldersOf, storeChannelFolderOrder } from './channel-folders.sql';

/** Puts all folders, archived ones included, into another order. */
export async function reorderChannelFolders(
  ctx: Context,
  caller: Caller,
  { orderedIds }: ReorderChannelFoldersRequest,
): Promise<ReorderChannelFoldersResponse> {
  return changeOrganization(ctx, caller, requireAdministrator, async (tx, { realmId }) => {
    const folders = await listChannelFoldersOf(tx, realmId);
    const ids = new Set(orderedIds);
    const namesEachOnce = orderedIds.length === folders.length && folders.every(({ id }) => ids.has(id));
    if (!namesEachOnce) throw new BadRequestError('Invalid order mapping.');
    if (folders.every(({ id }, index) => id === orderedIds[index])) return {};
    await storeChannelFolderOrder(tx, realmId, orderedIds);
    await announce(tx, channelFoldersReordered(realmId, { orderedIds }));
    return {};
  });
}
