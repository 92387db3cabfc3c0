import { BadRequestError } from '@parley/shared/errors';
import type { BeginUploadRequest, UploadProgress } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { findOwnersSpace, findSpace, insertUpload } from './attachment.sql';
import { INCOMING_LIFETIME_MS } from './upload-lifetimes';
import { checkOwnersQuota, checkQuota } from './upload-quota';

const MAX_NAME_LENGTH = 1_000;
const MAX_TYPE_LENGTH = 200;

/** Makes room for a file that is about to come in. */
export async function beginUpload(ctx: Context, caller: Caller, request: BeginUploadRequest): Promise<UploadProgress> {
  const { pathId, name, contentType, size } = request;
  checkPath(pathId, caller.realmId);
  if (name.length > MAX_NAME_LENGTH || contentType.length > MAX_TYPE_LENGTH || /\0/.test(name + contentType)) {
    throw new BadRequestError('Invalid file name');
  }
  const owner = { realmId: caller.realmId, ownerId: caller.userId, exceptPathId: pathId };
  const [space, ownersSpace] = await Promise.all([findSpace(ctx.db, caller.realmId), findOwnersSpace(ctx.db, owner)]);
  checkQuota(ctx, { ...space, bytes: space.bytes + size });
  checkOwnersQuota(ctx, { ...ownersSpace, bytes: ownersSpace.bytes + size });
  const nowMs = ctx.clock.now();
  await insertUpload(ctx.db, {
    realmId: caller.realmId,
    ownerId: caller.userId,
    pathId,
    name,
    contentType,
    size,
    createdAtMs: nowMs,
    expiresAtMs: nowMs + INCOMING_LIFETIME_MS,
  });
  return { pathId, name, contentType, size, partEnds: [], partAttempts: [], isStored: false };
}

function checkPath(pathId: string, realmId: number): void {
  if (!/^\d+\/[0-9a-f]{1,2}\/[\w-]{24}\/[^/\0]{1,255}$/u.test(pathId) || !pathId.startsWith(`${realmId}/`)) {
    throw new BadRequestError('Invalid path of a file');
  }
}
