import type { DataExports } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { requireAdministrator } from '../guards';
import { getOwnUser } from '../users/get-own-user';
import { listDataExports as loadDataExports } from './data-exports.sql';

/** Every archive that was ever asked for, in order. */
export async function listDataExports(ctx: Context, caller: Caller): Promise<DataExports> {
  requireAdministrator(await getOwnUser(ctx, caller));
  return { exports: await loadDataExports(ctx.db, caller.realmId) };
}
