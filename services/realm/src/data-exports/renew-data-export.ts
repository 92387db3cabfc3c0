import type { HeldDataExport, HeldDataExportResponse } from '@parley/shared/proto';
import type { Context } from '../context';
import { LEASE_MS } from './claim-data-export';
import { holdDataExport } from './data-exports.sql';

/** Whoever makes an archive is still at it. */
export async function renewDataExport({ db, clock }: Context, held: HeldDataExport): Promise<HeldDataExportResponse> {
  return { isHeld: await holdDataExport(db, held, clock.now() + LEASE_MS) };
}
