import { announce } from '@parley/shared/bus';
import { BadRequestError } from '@parley/shared/errors';
import { channelFolderCreated } from '@parley/shared/events';
import type { CreateChannelFolderRequest, CreateChannelFolderResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { requireAdministrator } from '../guards';
import { nameKey } from '../name-key';
import { changeOrganization } from '../realms/change-organization';
import { renderText } from '../rendering/render-texts';
import { folderDescriptionFromInput, folderNameFromInput } from './channel-folder-input';
import { insertChannelFolder, listChannelFoldersOf } from './channel-folders.sql';

const MAX_FOLDERS = 500;

/** Makes a folder, after all others. */
export async function createChannelFolder(
  ctx: Context,
  caller: Caller,
  request: CreateChannelFolderRequest,
): Promise<CreateChannelFolderResponse> {
  return changeOrganization(ctx, caller, requireAdministrator, async (tx, { id: creatorId, realmId }) => {
    const others = await listChannelFoldersOf(tx, realmId);
    const name = folderNameFromInput(request.name, others);
    const description = folderDescriptionFromInput(request.description);
    if (others.length >= MAX_FOLDERS) throw new BadRequestError(`Too many channel folders (limit: ${MAX_FOLDERS})`);
    const folder = {
      name,
      description,
      renderedDescription: await renderText(ctx, tx, { realmId, authorId: creatorId }, description),
      order: others.length,
      creatorId,
      isArchived: false,
      createdAtMs: ctx.clock.now(),
    };
    const id = await insertChannelFolder(tx, realmId, { ...folder, nameKey: nameKey(name) });
    await announce(tx, channelFolderCreated(realmId, { folder: { ...folder, id } }));
    return { id };
  });
}
