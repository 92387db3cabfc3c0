import { announce } from '@parley/shared/bus';
import { attachmentAdded } from '@parley/shared/events';
import type { Attachment, CompleteUploadRequest } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { addSpace, findOwnersSpace, lockByPath, markStored } from './attachment.sql';
import { requireOwn } from './get-upload-progress';
import { UNUSED_LIFETIME_MS } from './upload-lifetimes';
import { checkOwnersQuota, checkQuota } from './upload-quota';

/** Makes a file whose bytes are all there an attachment of the caller's. */
export function completeUpload(ctx: Context, caller: Caller, request: CompleteUploadRequest): Promise<Attachment> {
  const { pathId, size, image } = request;
  const { realmId, userId: ownerId } = caller;
  return ctx.db.transaction(async (tx) => {
    const { name, createdAtMs } = requireOwn(await lockByPath(tx, realmId, pathId), caller, ['incoming']);
    const space = await addSpace(tx, realmId, size);
    checkQuota(ctx, space);
    // Of uploads of unknown length only now it is known how large they are; those of an organization are completed one after another.
    const ownersSpace = await findOwnersSpace(tx, { realmId, ownerId, exceptPathId: pathId });
    checkOwnersQuota(ctx, { ...ownersSpace, bytes: ownersSpace.bytes + size });
    const expiresAtMs = ctx.clock.now() + UNUSED_LIFETIME_MS;
    const id = await markStored(tx, realmId, pathId, { size, image, expiresAtMs });
    const attachment = { id, name, pathId, size, createdAtMs, messages: [] };
    await announce(tx, attachmentAdded(realmId, { ownerId, attachment, uploadSpaceUsed: space.bytes }));
    return attachment;
  });
}
