import { BadRequestError } from '@parley/shared/errors';
import type { AdvanceUploadRequest, UploadProgress } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { addPart, listByPath } from './attachment.sql';
import { progressOf, requireOwn } from './get-upload-progress';

const MAX_PARTS = 10_000;
const MAX_ATTEMPT_LENGTH = 64;

/**
 * Counts a further part in, if the file still ends where it begins. Of attempts that begin at the same place the first one counts, and
 * is counted once, however often it is asked for.
 */
export async function advanceUpload(
  { db }: Context,
  caller: Caller,
  request: AdvanceUploadRequest,
): Promise<UploadProgress> {
  const { realmId, userId: ownerId } = caller;
  // A gateway of the version before names no attempt.
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

/** The answer to it was lost on the way, and it is asked for again. */
function isCounted(attempt: string, { partAttempts }: UploadProgress): boolean {
  return attempt !== '' && partAttempts.includes(attempt);
}

function refusal({ fromOffset }: AdvanceUploadRequest, { partEnds, size, isStored }: UploadProgress): BadRequestError {
  const offset = isStored ? size : (partEnds.at(-1) ?? 0);
  if (fromOffset !== offset) return new BadRequestError('Mismatched offset', {}, 409);
  if (partEnds.length >= MAX_PARTS) return new BadRequestError('Too many parts', {}, 413);
  return new BadRequestError('Part exceeds the file', {}, 413);
}
