import type { ExportConsents } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { requireAdministrator } from '../guards';
import { getOwnUser } from '../users/get-own-user';
import { listExportConsents as loadExportConsents } from './data-exports.sql';

/** Who lets administrators have their private things exported. */
export async function listExportConsents(ctx: Context, caller: Caller): Promise<ExportConsents> {
  requireAdministrator(await getOwnUser(ctx, caller));
  return { consents: await loadExportConsents(ctx.db, caller.realmId) };
}
