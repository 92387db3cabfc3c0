import { announce } from '@parley/shared/bus';
import { BadRequestError } from '@parley/shared/errors';
import { attachmentAdded } from '@parley/shared/events';
import type {
  AdvanceUploadRequest,
  Attachment,
  BeginUploadRequest,
  CompleteUploadRequest,
  GetUploadProgressRequest,
  GetUploadRequest,
  Upload,
  UploadProgress,
} from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import {
  addPart,
  addSpace,
  findOwnersSpace,
  findSpace,
  insertUpload,
  listByPath,
  lockByPath,
  markStored,
  type UploadRow,
  type UploadState,
} from './attachment.sql';
import { fileForbidden, fileNotFound } from './attachments';
import { findUploads } from './find-uploads';
import { checkOwnersQuota, checkQuota } from './upload-quota';

const MAX_NAME_LENGTH = 1_000;
const MAX_TYPE_LENGTH = 200;

/** Creates the row of an upload, within the quotas. */
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

const MAX_PARTS = 10_000;
const MAX_ATTEMPT_LENGTH = 64;

/**
 * Adds a part, if the file still ends where it begins. Of attempts that begin at the same offset the first one counts, and
 * only once, however often its request is repeated.
 */
export async function advanceUpload(
  { db }: Context,
  caller: Caller,
  request: AdvanceUploadRequest,
): Promise<UploadProgress> {
  const { realmId, userId: ownerId } = caller;
  // A gateway of the previous version sends no attempt.
  const { attempt = '' } = request;
  if (!isPossible(attempt)) throw new BadRequestError('Invalid attempt');
  const advanced = await addPart(db, { ...request, attempt, realmId, ownerId }, MAX_PARTS);
  if (advanced) return progressOf(advanced);
  const [row] = await listByPath(db, realmId, [request.pathId]);
  const progress = progressOf(requireOwn(row, caller, ['incoming', 'stored']));
  if (isCounted(attempt, progress)) return progress;
  throw refusal(request, progress);
}

function isPossible(attempt: string): boolean {
  return attempt.length <= MAX_ATTEMPT_LENGTH && /^[\w-]*$/.test(attempt);
}

/** The request was repeated because its first answer was lost. */
function isCounted(attempt: string, { partAttempts }: UploadProgress): boolean {
  return attempt !== '' && partAttempts.includes(attempt);
}

function refusal({ fromOffset }: AdvanceUploadRequest, { partEnds, size, isStored }: UploadProgress): BadRequestError {
  const offset = isStored ? size : (partEnds.at(-1) ?? 0);
  if (fromOffset !== offset) return new BadRequestError('Mismatched offset', {}, 409);
  if (partEnds.length >= MAX_PARTS) return new BadRequestError('Too many parts', {}, 413);
  return new BadRequestError('Part exceeds the file', {}, 413);
}

/** Turns a completely uploaded file into an attachment of the caller. */
export function completeUpload(ctx: Context, caller: Caller, request: CompleteUploadRequest): Promise<Attachment> {
  const { pathId, size, image } = request;
  const { realmId, userId: ownerId } = caller;
  return ctx.db.transaction(async (tx) => {
    const { name, createdAtMs } = requireOwn(await lockByPath(tx, realmId, pathId), caller, ['incoming']);
    const space = await addSpace(tx, realmId, size);
    checkQuota(ctx, space);
    // The size of an upload of unknown length is known only now; an organization's uploads are completed one after another.
    const ownersSpace = await findOwnersSpace(tx, { realmId, ownerId, exceptPathId: pathId });
    checkOwnersQuota(ctx, { ...ownersSpace, bytes: ownersSpace.bytes + size });
    const expiresAtMs = ctx.clock.now() + UNUSED_LIFETIME_MS;
    const id = await markStored(tx, realmId, pathId, { size, image, expiresAtMs });
    const attachment = { id, name, pathId, size, createdAtMs, messages: [] };
    await announce(tx, attachmentAdded(realmId, { ownerId, attachment, uploadSpaceUsed: space.bytes }));
    return attachment;
  });
}

/** The offset of one of the caller's uploads. */
export async function getUploadProgress(
  ctx: Context,
  caller: Caller,
  { pathId }: GetUploadProgressRequest,
): Promise<UploadProgress> {
  const [row] = await listByPath(ctx.db, caller.realmId, [pathId]);
  return progressOf(requireOwn(row, caller, ['incoming', 'stored']));
}

/** The row, if the file is the caller's and in one of these states; throws 404 otherwise. */
function requireOwn(row: UploadRow | null | undefined, caller: Caller, states: readonly UploadState[]): UploadRow {
  if (row?.ownerId !== caller.userId || !states.includes(row.state)) throw fileNotFound();
  return row;
}

function progressOf(row: UploadRow): UploadProgress {
  const { pathId, name, contentType, size, partEnds, state } = row;
  const partAttempts = partEnds.map((_end, index) => row.partAttempts[index] ?? '');
  return { pathId, name, contentType, size, partEnds, partAttempts, isStored: state === 'stored' };
}

/** A file that the caller may read. */
export async function getUpload(ctx: Context, caller: Caller, { pathId }: GetUploadRequest): Promise<Upload> {
  const [found] = await findUploads(ctx, caller, [pathId]);
  if (found) return present(found);
  const [existing] = await listByPath(ctx.db, caller.realmId, [pathId]);
  throw existing?.state === 'stored' ? fileForbidden() : fileNotFound();
}

function present(row: UploadRow): Upload {
  const { pathId, name, contentType, size, thumbnails, imageType } = row;
  const image =
    imageType === null
      ? null
      : {
          contentType: imageType,
          width: row.imageWidth as number,
          height: row.imageHeight as number,
          frames: row.imageFrames as number,
        };
  return { pathId, name, contentType, size, thumbnails, image };
}

const HOUR_MS = 60 * 60_000;

/** Older incomplete uploads are deleted. */
const INCOMING_LIFETIME_MS = 24 * HOUR_MS;

/** A file without links is kept for five weeks. */
export const UNUSED_LIFETIME_MS = 5 * 7 * 24 * HOUR_MS;
