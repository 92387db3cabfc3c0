import { announce } from '@parley/shared/bus';
import { BadRequestError, RealmDeactivatedError } from '@parley/shared/errors';
import { realmDeactivated } from '@parley/shared/events';
import type { DeactivateRealmRequest, DeactivateRealmResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { DATA_DELETION_DAYS } from '@parley/shared/values';
import { requireOwner } from '../base/guards';
import type { Context } from '../context';
import { changeOrganization } from './change-organization';
import { storeDeactivation } from './realms.sql';

const DAY_MS = 24 * 3_600_000;
/** PostgreSQL cannot store later times. */
const MAX_DAYS = 1_000_000;

/** Deactivates the organization: every later call in it is refused. */
export async function deactivateRealm(
  ctx: Context,
  caller: Caller,
  request: DeactivateRealmRequest,
): Promise<DeactivateRealmResponse> {
  return changeOrganization(ctx, caller, requireOwner, async (tx, { realmId }) => {
    const deactivatedAtMs = ctx.clock.now();
    const days = delayFromInput(request.deletionDelayDays);
    const dataDeletedFromMs = days === null ? null : deactivatedAtMs + days * DAY_MS;
    const isClosed = await storeDeactivation(tx, realmId, { deactivatedAtMs, dataDeletedFromMs });
    if (!isClosed) throw new RealmDeactivatedError();
    await announce(tx, realmDeactivated(realmId, { realmId }));
    return {};
  });
}

/** Null: never. */
function delayFromInput(days: number | undefined): number | null {
  if (days === undefined) return null;
  const { min, max } = DATA_DELETION_DAYS;
  if (days < min) throw new BadRequestError(`Data deletion time must be at least ${min} days in the future.`);
  const limit = max ?? MAX_DAYS;
  if (days > limit) throw new BadRequestError(`Data deletion time must be at most ${limit} days in the future.`);
  return days;
}
