import type { RealmPermissionName } from '@parley/shared/access';
import { announce } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import {
  type DomainEvent,
  guestRestrictionChanged,
  type RealmChanged,
  realmChanged,
  realmPropertyChanged,
} from '@parley/shared/events';
import type { UpdatedRealm, UpdateRealmRequest, User } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { availableMethods, brandedNames, type RealmSettingName, type RealmSettings } from '@parley/shared/values';
import { publicAuthenticationMethods } from '@parley/shared/wire';
import { listActiveGuestIds } from '../accounts/accessible-users.sql';
import { requireAdministrator, requireOwner } from '../base/guards';
import type { Config } from '../config';
import type { Context } from '../context';
import { setGroupSetting } from '../group-settings/change-group-settings';
import { formerPolicyEvents } from '../group-settings/complete-settings';
import { findWaitingPeriodMoves } from '../groups/system-group-moves';
import { changeOrganization } from '../organization/change-organization';
import { areForOwners } from '../organization/permissions';
import { storeRealmDescription, storeRealmName, storeRealmSettings } from '../organization/realms.sql';
import { watchFullMembers } from '../waiting-periods/waiting-periods';
import { findRealmChanges, type RealmChanges } from './realm-changes';

/** Changes an organization's profile, settings and permissions. */
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

/** Runs the change; a new waiting period changes who is a full member. */
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

/** Ends guests' queues: they see other users than before, so their clients must register again. */
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

/** Settings announced together with others that follow from them or belong to them. */
const ANNOUNCED_TOGETHER = [
  'allow_message_editing',
  'message_content_edit_limit_seconds',
  'message_edit_history_visibility_policy',
  'topics_policy',
] as const satisfies (keyof RealmSettings)[];

/** Events for an organization's changes. */
function realmEvents(
  realmId: number,
  changes: Omit<RealmChanges, 'former' | 'formerPermissions'>,
  config: Pick<Config, 'API_BRANDS' | 'DEV_LOGIN'>,
): DomainEvent[] {
  const { name, settings, ...more } = changes;
  const { authentication_methods: methods, ...others } = settings;
  const { together, alone } = split(others);
  const data: RealmChanged = {
    settings: together,
    groupSettings: more.permissions,
    ...(methods && { authenticationMethods: publicAuthenticationMethods(methods, availableMethods(config), more) }),
    ...(more.description !== undefined && { description: more.description }),
  };
  const properties = Object.entries({ ...(name !== undefined && { name }), ...alone });
  const announced = properties.flatMap(([property, value]) =>
    announcedNames(property, config.API_BRANDS).map((alias) => ({ name: alias, value })),
  );
  return [
    ...announced.map((property) => realmPropertyChanged(realmId, property)),
    ...(isAnything(data) ? [realmChanged(realmId, data)] : []),
  ];
}

type Settings = RealmChanged['settings'];

function split(settings: Settings): { together: Settings; alone: Settings } {
  const isTogether = ([name]: [string, unknown]) => (ANNOUNCED_TOGETHER as readonly string[]).includes(name);
  const entries = Object.entries(settings);
  return {
    together: Object.fromEntries(entries.filter(isTogether)),
    alone: Object.fromEntries(entries.filter((entry) => !isTogether(entry))),
  };
}

function isAnything({ settings, groupSettings, ...rest }: RealmChanged): boolean {
  return Object.keys({ ...settings, ...groupSettings, ...rest }).length > 0;
}

const UPDATE_CHANNEL = 'service_update_announcements_stream_id';

/** The property names in clients' events; `brands` are those of API_BRANDS. */
export function announcedNames(property: string, brands: readonly string[]): string[] {
  // COMPAT(level 453): replaced by the second name.
  if (property === 'giphy_rating') return [property, 'gif_rating_policy'];
  if (property === UPDATE_CHANNEL) return brandedNames(property, brands);
  return [property];
}
