import { randomBytes, randomInt } from 'node:crypto';
import type { ClaimDataExportResponse } from '@parley/shared/proto';
import type { Context } from '../context';
import { announceDataExports } from './announce-data-exports';
import { claimDataExport as claim, failWornOut } from './data-exports.sql';

/** A gateway that lives renews it much more often; what one that has died was making waits for as long. */
export const LEASE_MS = 5 * 60_000;
export const MAX_ATTEMPTS = 3;

/** Gives an archive that is to be made to whoever asks, until the lease is over. */
export function claimDataExport({ db, clock }: Context): Promise<ClaimDataExportResponse> {
  const nowMs = clock.now();
  return db.transaction(async (tx) => {
    for (const realmId of await failWornOut(tx, MAX_ATTEMPTS, nowMs)) await announceDataExports(tx, realmId);
    return { claimed: await claim(tx, { secret: newSecret(), nowMs, leaseMs: LEASE_MS }) };
  });
}

/** Nobody can guess the place, as of any uploaded file. */
function newSecret(): string {
  return `${randomInt(256).toString(16)}/${randomBytes(18).toString('base64url')}`;
}
