import { batched } from '@parley/shared/batch';
import type { HoldLeasesRequest, HoldLeasesResponse } from '@parley/shared/proto';
import type { Context } from '../context';
import { endHolder, listUnchanging, renewLease } from './leases.sql';

/** What holds now by an account's age and a key's end holds for so long. */
export const LEASE_MS = 60_000;

/** Makes a replica of another service a holder of leases, or prolongs that. */
export async function holdLeases(
  { db }: Pick<Context, 'db'>,
  { holderId, isOver }: HoldLeasesRequest,
): Promise<HoldLeasesResponse> {
  if (isOver) {
    await endHolder(db, holderId);
    return {};
  }
  return (await renewLease(db, holderId)) ?? {};
}

/** Whether what is read from now on may be leased; concurrent questions share a statement. */
export function leasesAllowed(ctx: Pick<Context, 'db'>): (realmId: number) => Promise<boolean> {
  return batched(
    async (realmIds: number[]) => {
      const unchanging = await listUnchanging(ctx.db, [...new Set(realmIds)]);
      return realmIds.map((realmId) => unchanging.has(realmId));
    },
    { maxItems: 64, maxInFlight: 2 },
  );
}
