import type { FailDataExportRequest, HeldDataExport, HeldDataExportResponse } from '@parley/shared/proto';
import type { Context } from '../context';
import { announceDataExports } from './announce-data-exports';
import { MAX_ATTEMPTS } from './claim-data-export';
import { failWornOut, giveBackDataExport, holdDataExport } from './data-exports.sql';

const PAUSE_MS = 60_000;

/** It did not work: somebody tries again soon, unless that was the last time. What was interrupted is as if nobody had tried. */
export async function failDataExport(
  { db, clock }: Context,
  { held: of, isInterrupted }: FailDataExportRequest,
): Promise<HeldDataExportResponse> {
  const nowMs = clock.now();
  const held = of as HeldDataExport;
  if (isInterrupted) return { isHeld: await giveBackDataExport(db, held, nowMs) };
  const isLast = held.attempt >= MAX_ATTEMPTS;
  return db.transaction(async (tx) => {
    const isHeld = await holdDataExport(tx, held, isLast ? nowMs : nowMs + PAUSE_MS);
    for (const realmId of await failWornOut(tx, MAX_ATTEMPTS, nowMs)) await announceDataExports(tx, realmId);
    return { isHeld };
  });
}
