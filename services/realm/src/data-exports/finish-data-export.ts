import type { FinishDataExportRequest, HeldDataExport, HeldDataExportResponse } from '@parley/shared/proto';
import type { Context } from '../context';
import { announceNotice } from '../notices/announce-notice';
import { announceDataExports } from './announce-data-exports';
import { completeDataExport } from './data-exports.sql';

const TEXT = 'Your data export is complete. [View and download exports](/#organization/data-exports-admin).';

/** The archive is in the store; whoever asked for it is told. */
export function finishDataExport(
  { db, clock }: Context,
  request: FinishDataExportRequest,
): Promise<HeldDataExportResponse> {
  const held = request.held as HeldDataExport;
  return db.transaction(async (tx) => {
    const actingUserId = await completeDataExport(tx, held, { size: request.size, nowMs: clock.now() });
    if (actingUserId === null) return { isHeld: false };
    await announceDataExports(tx, held.realmId);
    const to = { userIds: [actingUserId] };
    await announceNotice(tx, held.realmId, { from: 'notification-bot', to, content: TEXT, readByIds: [] });
    return { isHeld: true };
  });
}
