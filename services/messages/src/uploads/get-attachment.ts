import type { Attachment, GetAttachmentRequest } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { loadAttachments } from './attachment.sql';
import { invalidAttachment } from './upload-errors';

/** A file of the caller's, by its id. */
export async function getAttachment(
  ctx: Context,
  caller: Caller,
  { attachmentId }: GetAttachmentRequest,
): Promise<Attachment> {
  const [found] = await loadAttachments(ctx.db, caller.realmId, [attachmentId]);
  if (found?.ownerId !== caller.userId) throw invalidAttachment();
  return found.attachment;
}
