import type { RealmPermissionName } from '@parley/shared/access';
import { announce } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import { type DomainEvent, guestRestrictionChanged } from '@parley/shared/events';
import type { UpdatedRealm, UpdateRealmRequest, User } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { RealmSettingName } from '@parley/shared/values';
import type { Context } from '../context';
import { formerPolicyEvents } from '../group-settings/former-policy-events';
import { setGroupSetting } from '../group-settings/set-group-setting';
import { findWaitingPeriodMoves } from '../groups/waiting-period-moves';
import { requireAdministrator, requireOwner } from '../guards';
import { listActiveGuestIds } from '../users/accessible-users.sql';
import { watchFullMembers } from '../waiting-periods/watch-full-members';
import { changeOrganization } from './change-organization';
import { findRealmChanges, type RealmChanges } from './find-realm-changes';
import { areForOwners } from './permissions';
import { realmEvents } from './realm-events';
import { storeRealmSettings } from './realm-settings.sql';
import { storeRealmDescription, storeRealmName } from './realms.sql';

/** Changes what an organization says of itself, how things are in it, and who may do what. */
export async function updateRealm(ctx: Context, caller: Caller, request: UpdateRealmRequest): Promise<UpdatedRealm> {
  const guard = (actor: User) => requireRight(actor, request);
  return changeOrganization(ctx, caller, guard, async (tx, { realmId }) => {
    const nowMs = ctx.clock.now();
    const changes = await findRealmChanges(ctx, tx, realmId, request);
    const events = [...realmEvents(realmId, changes, ctx.config), ...(await permissionsOfOld(tx, realmId, changes))];
    await withFullMembers(tx, realmId, changes, nowMs, async (moves) => {
      await store(tx, realmId, changes, nowMs);
      await announce(tx, ...events, ...moves);
    });
    if (changes.permissions['can_access_all_users_group']) await announceGuestRestriction(tx, realmId);
    return echo(changes);
  });
}

function requireRight(actor: User, { settings, groupSettings, subdomain }: UpdateRealmRequest): void {
  requireAdministrator(actor);
  const settingNames = Object.keys(JSON.parse(settings)) as RealmSettingName[];
  if (subdomain !== undefined || areForOwners(settingNames, Object.keys(groupSettings))) requireOwner(actor);
}

async function permissionsOfOld(tx: Transaction, realmId: number, { formerPermissions, permissions }: RealmChanges) {
  if (Object.keys(permissions).length === 0) return [];
  return formerPolicyEvents(tx, realmId, formerPermissions, { ...formerPermissions, ...permissions });
}

/** Does the change; another waiting period makes some users full members, or no more. */
async function withFullMembers(
  tx: Transaction,
  realmId: number,
  { former, settings: { waiting_period_threshold: days } }: RealmChanges,
  nowMs: number,
  change: (moves: DomainEvent[]) => Promise<void>,
): Promise<void> {
  if (days === undefined) return change([]);
  const periods = { formerDays: former.waiting_period_threshold, days };
  const { moving, events } = await findWaitingPeriodMoves(tx, realmId, periods, nowMs);
  await watchFullMembers(tx, moving, () => change(events));
}

/** Guests know other people than before: their clients have to begin anew. */
async function announceGuestRestriction(tx: Transaction, realmId: number): Promise<void> {
  const guestIds = await listActiveGuestIds(tx, realmId);
  if (guestIds.length > 0) await announce(tx, guestRestrictionChanged(realmId, { guestIds }));
}

async function store(tx: Transaction, realmId: number, changes: RealmChanges, nowMs: number): Promise<void> {
  const { name, description, settings, permissions } = changes;
  if (name !== undefined) await storeRealmName(tx, realmId, name);
  if (description !== undefined) {
    const { text, rendered } = description;
    await storeRealmDescription(tx, realmId, { description: text, renderedDescription: rendered });
  }
  if (Object.keys(settings).length > 0) await storeRealmSettings(tx, realmId, settings);
  for (const [permission, value] of Object.entries(permissions)) {
    const place = { of: 'realm', name: permission as RealmPermissionName } as const;
    await setGroupSetting(tx, realmId, place, value, nowMs);
  }
}

function echo({ name, description, settings, permissions }: RealmChanges): UpdatedRealm {
  return {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description: description.text }),
    settings: JSON.stringify(settings),
    groupSettings: permissions,
  };
}
