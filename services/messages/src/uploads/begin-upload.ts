import { BadRequestError, RealmUploadQuotaError } from '@parley/shared/errors';
import type { BeginUploadRequest, UploadProgress } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { findSpace, insertUpload } from './attachment.sql';
import { INCOMING_LIFETIME_MS } from './upload-lifetimes';

const MAX_NAME_LENGTH = 1_000;
const MAX_TYPE_LENGTH = 200;

/** Makes room for a file that is about to come in. */
export async function beginUpload(ctx: Context, caller: Caller, request: BeginUploadRequest): Promise<UploadProgress> {
  const { pathId, name, contentType, size } = request;
  checkPath(pathId, caller.realmId);
  if (name.length > MAX_NAME_LENGTH || contentType.length > MAX_TYPE_LENGTH || /\0/.test(name + contentType)) {
    throw new BadRequestError('Invalid file name');
  }
  checkQuota(ctx, (await findSpace(ctx.db, caller.realmId)) + size);
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
  return { pathId, name, contentType, size, partEnds: [], isStored: false };
}

/** Throws unless the organization may take up so many bytes. */
export function checkQuota({ config }: Pick<Context, 'config'>, usedBytes: number): void {
  const quotaMib = config.UPLOAD_QUOTA_MIB;
  if (quotaMib !== undefined && usedBytes > quotaMib * 1024 * 1024) throw new RealmUploadQuotaError();
}

function checkPath(pathId: string, realmId: number): void {
  if (!/^\d+\/[0-9a-f]{1,2}\/[\w-]{24}\/[^/\0]{1,255}$/u.test(pathId) || !pathId.startsWith(`${realmId}/`)) {
    throw new BadRequestError('Invalid path of a file');
  }
}
