import { BadRequestError } from '@parley/shared/errors';
import type { DataExport, GetDataExportRequest } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { listDataExports } from './list-data-exports';

/** The export whose archive is at an address: for administrators, however they have come by it. */
export async function getDataExport(ctx: Context, caller: Caller, { path }: GetDataExportRequest): Promise<DataExport> {
  const { exports } = await listDataExports(ctx, caller);
  const found = exports.find((each) => each.path === path);
  if (!found) throw new BadRequestError('File not found', {}, 404);
  return found;
}
