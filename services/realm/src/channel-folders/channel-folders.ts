import { announce } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import { BadRequestError } from '@parley/shared/errors';
import {
  type ChannelFolderChange,
  channelFolderChanged,
  channelFolderCreated,
  channelFoldersReordered,
} from '@parley/shared/events';
import type {
  ChannelFolder,
  ChannelFolders,
  CreateChannelFolderRequest,
  CreateChannelFolderResponse,
  ListChannelFoldersRequest,
  ReorderChannelFoldersRequest,
  ReorderChannelFoldersResponse,
  UpdateChannelFolderRequest,
  UpdateChannelFolderResponse,
} from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { REFUSAL } from '@parley/shared/texts/refusals';
import { codePointLength, findForbiddenCharacter, findForbiddenInLines, LIMITS } from '@parley/shared/values';
import { requireAdministrator } from '../base/guards';
import { nameKey } from '../base/name-key';
import type { Context } from '../context';
import { changeOrganization } from '../organization/change-organization';
import { renderText } from '../rendering/render-texts';
import {
  hasChannels,
  insertChannelFolder,
  listChannelFoldersOf,
  lockChannelFolder,
  storeChannelFolder,
  storeChannelFolderOrder,
} from './channel-folders.sql';

/** The organization's channel folders, in their order. For everybody. */
// SPEC-GAP: whether guests may see folders is not shown; here they may, as folders contain nothing secret.
export async function listChannelFolders(
  ctx: Context,
  { realmId }: Caller,
  { includesArchived }: ListChannelFoldersRequest,
): Promise<ChannelFolders> {
  const folders = await listChannelFoldersOf(ctx.db, realmId);
  return { folders: folders.filter(({ isArchived }) => includesArchived || !isArchived) };
}

const MAX_FOLDERS = 500;

/** Creates a folder after all others. */
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

/** Renames, describes, archives or unarchives a folder. */
export async function updateChannelFolder(
  ctx: Context,
  caller: Caller,
  request: UpdateChannelFolderRequest,
): Promise<UpdateChannelFolderResponse> {
  return changeOrganization(ctx, caller, requireAdministrator, async (tx, { id: authorId, realmId }) => {
    const folders = await listChannelFoldersOf(tx, realmId);
    const folder = folders.find(({ id }) => id === request.id);
    if (!folder) throw new BadRequestError('Invalid channel folder ID');
    const change = changeOf(folder, folders, request);
    if (change.description !== undefined) {
      change.renderedDescription = await renderText(ctx, tx, { realmId, authorId }, change.description);
    }
    if (change.isArchived === true) await refuseWhileInUse(tx, realmId, folder.id);
    if (Object.keys(change).length === 0) return {};
    const changed = { ...folder, ...change };
    await storeChannelFolder(tx, realmId, { ...changed, nameKey: nameKey(changed.name) });
    await announce(tx, channelFolderChanged(realmId, { folderId: folder.id, change }));
    return {};
  });
}

/** The differences of the request from the present values. */
function changeOf(
  folder: ChannelFolder,
  folders: readonly ChannelFolder[],
  { name, description, isArchived }: UpdateChannelFolderRequest,
): ChannelFolderChange {
  const change: ChannelFolderChange = {};
  if (name !== undefined) {
    const others = folders.filter((other) => other !== folder);
    change.name = folderNameFromInput(name, others);
    if (change.name === folder.name) delete change.name;
  }
  if (description !== undefined) {
    const wanted = folderDescriptionFromInput(description);
    if (wanted !== folder.description) change.description = wanted;
  }
  if (isArchived !== undefined && isArchived !== folder.isArchived) change.isArchived = isArchived;
  return change;
}

// SPEC-GAP: whether archived channels count is not shown; here they do, so that unarchived ones find their folder.
async function refuseWhileInUse(tx: Transaction, realmId: number, folderId: number): Promise<void> {
  await lockChannelFolder(tx, realmId, folderId);
  if (await hasChannels(tx, realmId, folderId)) {
    throw new BadRequestError(REFUSAL.channels.folderNotEmpty);
  }
}

/** Reorders all folders, archived ones included. */
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

/** The normalized folder name; refuses names of other folders, archived ones included. */
function folderNameFromInput(text: string, others: readonly ChannelFolder[]): string {
  const name = text.trim();
  if (name === '') throw new BadRequestError(REFUSAL.channels.folderNameEmpty);
  refuseTooLong('name', name, LIMITS.channelFolderNameLength);
  const position = findForbiddenCharacter(name);
  if (position !== null) throw new BadRequestError(REFUSAL.channels.folderNameCharacter(String(position)));
  const isTaken = others.some((folder) => nameKey(folder.name) === nameKey(name));
  if (isTaken) throw new BadRequestError(REFUSAL.channels.folderNameTaken);
  return name;
}

/** The normalized folder description; may have several lines. */
function folderDescriptionFromInput(text: string): string {
  const description = text.trim();
  refuseTooLong('description', description, LIMITS.channelFolderDescriptionLength);
  const position = findForbiddenInLines(description);
  if (position !== null) throw new BadRequestError(`Invalid character in description, at position ${position}.`);
  return description;
}

function refuseTooLong(name: string, text: string, limit: number): void {
  if (codePointLength(text) > limit) throw new BadRequestError(REFUSAL.requests.tooLong(name, String(limit)));
}
