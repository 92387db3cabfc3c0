import { announce } from '@parley/shared/bus';
import { BadRequestError } from '@parley/shared/errors';
import { attachmentRemoved } from '@parley/shared/events';
import type {
  Attachment,
  DeleteAttachmentRequest,
  DeleteAttachmentResponse,
  GetAttachmentRequest,
  ListAttachmentsResponse,
} from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { REFUSAL } from '@parley/shared/texts/refusals';
import type { Context } from '../context';
import { addSpace, deleteOwn, findSpace, listOwn, loadAttachments } from './attachment.sql';

/** The caller's files, and the total size of the organization's. */
export async function listAttachments({ db }: Context, caller: Caller): Promise<ListAttachmentsResponse> {
  const [attachments, { bytes: uploadSpaceUsed }] = await Promise.all([
    listOwn(db, caller.realmId, caller.userId),
    findSpace(db, caller.realmId),
  ]);
  return { attachments, uploadSpaceUsed };
}

/** One of the caller's files, by id. */
export async function getAttachment(
  ctx: Context,
  caller: Caller,
  { attachmentId }: GetAttachmentRequest,
): Promise<Attachment> {
  const [found] = await loadAttachments(ctx.db, caller.realmId, [attachmentId]);
  if (found?.ownerId !== caller.userId) throw invalidAttachment();
  return found.attachment;
}

/** Deletes one of the caller's files. Links in messages stay, but no longer work. */
export function deleteAttachment(
  ctx: Context,
  caller: Caller,
  { attachmentId }: DeleteAttachmentRequest,
): Promise<DeleteAttachmentResponse> {
  const { realmId, userId: ownerId } = caller;
  return ctx.db.transaction(async (tx) => {
    const deleted = await deleteOwn(tx, realmId, ownerId, attachmentId);
    if (!deleted) throw invalidAttachment();
    const { bytes: uploadSpaceUsed } = await addSpace(tx, realmId, -deleted.size);
    await announce(tx, attachmentRemoved(realmId, { ownerId, attachmentId, uploadSpaceUsed }));
    return {};
  });
}

export const fileNotFound = () => new BadRequestError(REFUSAL.requests.noFile, {}, 404);
export const fileForbidden = () => new BadRequestError(REFUSAL.requests.notYourFile, {}, 403);
const invalidAttachment = () => new BadRequestError('Invalid attachment');
