import { BadRequestError } from '@parley/shared/errors';
import type { ScheduleRealmPurgeRequest, ScheduleRealmPurgeResponse } from '@parley/shared/proto';
import type { Context } from '../context';
import { getRealm } from '../realms/get-realm';
import { storeDataDeletion } from './operator.sql';

const DAY_MS = 24 * 3_600_000;
/** Later times than the database can hold are no times. */
const MAX_DAYS = 1_000_000;

/** Has what a closed organization has left deleted from some day on. For the operator's command. */
export async function scheduleRealmPurge(
  ctx: Context,
  { subdomain, delayDays }: ScheduleRealmPurgeRequest,
): Promise<ScheduleRealmPurgeResponse> {
  if (delayDays < 0 || delayDays > MAX_DAYS) throw new BadRequestError(`delay_days is not from 0 to ${MAX_DAYS}`);
  const { id: realmId, isDeactivated } = await getRealm(ctx, { subdomain });
  if (!isDeactivated) throw new BadRequestError('This organization is not deactivated');
  const dataDeletedFromMs = ctx.clock.now() + delayDays * DAY_MS;
  const isScheduled = await ctx.db.transaction((tx) => storeDataDeletion(tx, realmId, dataDeletedFromMs));
  if (!isScheduled) throw new BadRequestError('The data of this organization is deleted');
  return { realmId, dataDeletedFromMs };
}
