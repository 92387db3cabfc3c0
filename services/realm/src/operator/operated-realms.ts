import { BadRequestError } from '@parley/shared/errors';
import type {
  ReactivateRealmRequest,
  ReactivateRealmResponse,
  RealmList,
  RenameRealmRequest,
  RenameRealmResponse,
  ScheduleRealmPurgeRequest,
  ScheduleRealmPurgeResponse,
} from '@parley/shared/proto';
import { isUniqueViolation } from '../base/unique-violation';
import type { Context } from '../context';
import { getRealm } from '../organization/change-organization';
import { subdomainFromInput } from '../organization/realm-name';
import { SUBDOMAIN_IS_UNIQUE } from '../organization/realms.sql';
import { subdomainTaken } from '../realms/create-realm';
import { listRealms as loadRealms, reopenRealm, storeDataDeletion, storeSubdomain } from './operator.sql';

/** Every organization. For the operator's command. */
export async function listRealms({ db }: Context): Promise<RealmList> {
  return { realms: await loadRealms(db) };
}

/** Reactivates an organization; its accounts' keys are valid again. For the operator's command. */
// NOTE: nothing is announced: an organization's queues end when it is closed.
export async function reactivateRealm(
  ctx: Context,
  { subdomain }: ReactivateRealmRequest,
): Promise<ReactivateRealmResponse> {
  const { id: realmId, isDeactivated } = await getRealm(ctx, { subdomain });
  if (!isDeactivated) throw new BadRequestError('This organization is not deactivated');
  const isOpen = await ctx.db.transaction((tx) => reopenRealm(tx, realmId, ctx.clock.now()));
  if (!isOpen) throw new BadRequestError('The data of this organization is deleted');
  return { realmId };
}

/** Changes an organization's subdomain. For the operator's command. */
// NOTE: nothing is announced: clients cannot reach the former address.
export async function renameRealm(
  ctx: Context,
  { subdomain, newSubdomain }: RenameRealmRequest,
): Promise<RenameRealmResponse> {
  const wanted = subdomainFromInput(newSubdomain);
  const { id: realmId } = await getRealm(ctx, { subdomain });
  if (wanted === subdomain) throw new BadRequestError('This is its subdomain already');
  try {
    await ctx.db.transaction((tx) => storeSubdomain(tx, realmId, wanted));
  } catch (error) {
    throw isUniqueViolation(error, SUBDOMAIN_IS_UNIQUE) ? subdomainTaken() : error;
  }
  return { realmId };
}

const DAY_MS = 24 * 3_600_000;
/** PostgreSQL cannot store later times. */
const MAX_DAYS = 1_000_000;

/** Schedules the deletion of a closed organization's data. For the operator's command. */
export async function scheduleRealmPurge(
  ctx: Context,
  { subdomain, delayDays }: ScheduleRealmPurgeRequest,
): Promise<ScheduleRealmPurgeResponse> {
  if (delayDays < 0 || delayDays > MAX_DAYS)
    throw new BadRequestError(`The number of days is not from 0 to ${MAX_DAYS}`);
  const { id: realmId, isDeactivated } = await getRealm(ctx, { subdomain });
  if (!isDeactivated) throw new BadRequestError('This organization is not deactivated');
  const dataDeletedFromMs = ctx.clock.now() + delayDays * DAY_MS;
  const isScheduled = await ctx.db.transaction((tx) => storeDataDeletion(tx, realmId, dataDeletedFromMs));
  if (!isScheduled) throw new BadRequestError('The data of this organization is deleted');
  return { realmId, dataDeletedFromMs };
}
