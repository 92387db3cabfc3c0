import { BadRequestError } from '@parley/shared/errors';
import type { AdvanceUploadRequest, UploadProgress } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { addPart, lockByPath } from './attachment.sql';
import { progressOf, requireOwn } from './get-upload-progress';

const MAX_PARTS = 10_000;

/** Counts a further part in. Of two that begin at the same place the first one counts. */
export function advanceUpload(ctx: Context, caller: Caller, request: AdvanceUploadRequest): Promise<UploadProgress> {
  const { pathId, fromOffset, toOffset } = request;
  return ctx.db.transaction(async (tx) => {
    const row = requireOwn(await lockByPath(tx, caller.realmId, pathId), caller, ['incoming']);
    const offset = row.partEnds.at(-1) ?? 0;
    if (fromOffset !== offset) throw new BadRequestError('Mismatched offset', {}, 409);
    if (toOffset <= offset || toOffset > row.size) throw new BadRequestError('Part exceeds the file', {}, 413);
    if (row.partEnds.length >= MAX_PARTS) throw new BadRequestError('Too many parts', {}, 413);
    await addPart(tx, caller.realmId, pathId, toOffset);
    return { ...progressOf(row), partEnds: [...row.partEnds, toOffset] };
  });
}
