import { BadRequestError } from '@parley/shared/errors';
import type { CreateDataExportRequest, CreateDataExportResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { requireAdministrator } from '../guards';
import { changeOrganization } from '../realms/change-organization';
import { announceDataExports } from './announce-data-exports';
import { countDataExportsSince, insertDataExport } from './data-exports.sql';

const WEEK_MS = 7 * 24 * 3_600_000;
const MAX_IN_A_WEEK = 5;
const KINDS = ['public', 'consented'];

/** Orders an archive of what may be shared of the organization. A gateway makes it: see claimDataExport(). */
export function createDataExport(
  ctx: Context,
  caller: Caller,
  { kind }: CreateDataExportRequest,
): Promise<CreateDataExportResponse> {
  const createdAtMs = ctx.clock.now();
  return changeOrganization(ctx, caller, requireAdministrator, async (tx, { realmId }) => {
    if (!KINDS.includes(kind)) throw new BadRequestError('Invalid export_type');
    const recent = await countDataExportsSince(tx, realmId, createdAtMs - WEEK_MS);
    if (recent >= MAX_IN_A_WEEK) throw new BadRequestError('Exceeded rate limit.');
    const exportId = await insertDataExport(tx, { realmId, actingUserId: caller.userId, kind, createdAtMs });
    await announceDataExports(tx, realmId);
    return { exportId };
  });
}
