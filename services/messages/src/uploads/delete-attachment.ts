import { announce } from '@parley/shared/bus';
import { attachmentRemoved } from '@parley/shared/events';
import type { DeleteAttachmentRequest, DeleteAttachmentResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { addSpace, deleteOwn } from './attachment.sql';
import { invalidAttachment } from './upload-errors';

/** Forgets a file of the caller's. Messages keep their links, which lead nowhere from now on. */
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
