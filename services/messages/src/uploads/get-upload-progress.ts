import type { GetUploadProgressRequest, UploadProgress } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { listByPath, type UploadRow, type UploadState } from './attachment.sql';
import { fileNotFound } from './upload-errors';

/** How much has come in of a file of the caller's. */
export async function getUploadProgress(
  ctx: Context,
  caller: Caller,
  { pathId }: GetUploadProgressRequest,
): Promise<UploadProgress> {
  const [row] = await listByPath(ctx.db, caller.realmId, [pathId]);
  return progressOf(requireOwn(row, caller, ['incoming', 'stored']));
}

/** The row, when it is of a file of the caller's in one of these states; throws 404 otherwise. */
export function requireOwn(
  row: UploadRow | null | undefined,
  caller: Caller,
  states: readonly UploadState[],
): UploadRow {
  if (row?.ownerId !== caller.userId || !states.includes(row.state)) throw fileNotFound();
  return row;
}

export function progressOf(row: UploadRow): UploadProgress {
  const { pathId, name, contentType, size, partEnds, state } = row;
  const partAttempts = partEnds.map((_end, index) => row.partAttempts[index] ?? '');
  return { pathId, name, contentType, size, partEnds, partAttempts, isStored: state === 'stored' };
}
