import { REALM_PERMISSION_SETTINGS } from '@parley/shared/access';
import { VersionedMemory } from '@parley/shared/batch';
import type { Sql } from '@parley/shared/db';
import type { GroupSetting, Organization, OrganizationLists, RegisterState, UserStatus } from '@parley/shared/proto';
import { realmSettingsOf } from '@parley/shared/values';
import type { Actor } from '../actors/actor';
import type { Context } from '../context';
import { completeSettings, type RealmGroupSettings } from '../group-settings/complete-settings';
import { ownRights } from '../realms/own-rights';
import { listStatuses, loadOrganizationRow, type OrganizationRow } from './register.sql';

/** The part of POST /register that is the same for all members. */
interface OrganizationState extends LoadedOrganization {
  statuses: UserStatus[];
}

/** The organization, and its lists without profiles. */
interface LoadedOrganization {
  facts: OrganizationFacts;
  lists: OrganizationLists;
}

/** Parts of the state that come in shared lists. */
export const NOTHING_SHARED = {
  users: [],
  unknownUserIds: [],
  subscriptions: [],
  unsubscribed: [],
  neverSubscribed: [],
  channelSubscribers: [],
  groups: [],
};

/** Approximate size of a status. */
const STATUS_BYTES = 300;
const MAX_STATUSES_BYTES = 32 * 1024 * 1024;

export type OrganizationOf = (sql: Sql, realmId: number) => Promise<OrganizationState>;

/** The state of organizations in the snapshot of `sql`, shared by its readers; statuses are cached until any changes. */
export function organizationReader(ctx: Context): OrganizationOf {
  const readings = new WeakMap<Sql, Map<number, Promise<OrganizationState>>>();
  const read = organizationLoader(ctx);
  return (sql, realmId) => {
    const reading = readings.get(sql) ?? new Map<number, Promise<OrganizationState>>();
    readings.set(sql, reading);
    const state = reading.get(realmId) ?? read(sql, realmId);
    reading.set(realmId, state);
    return state;
  };
}

function organizationLoader(ctx: Context): OrganizationOf {
  const statusesOf = statusesReader(ctx);
  return async (sql, realmId) => {
    const { facts, lists } = await loadOrganization(sql, realmId);
    const statuses = await statusesOf(sql, realmId, facts.statusesVersion);
    return { facts, lists, statuses };
  };
}

function statusesReader({ clock }: Context): (sql: Sql, realmId: number, version: string) => Promise<UserStatus[]> {
  const memory = new VersionedMemory<UserStatus[]>(clock, MAX_STATUSES_BYTES);
  return async (sql, realmId, version) => {
    const key = String(realmId);
    const known = memory.recall(key);
    if (known?.version === version) return known.value;
    const statuses = await listStatuses(sql, realmId);
    memory.keep(key, version, statuses, statuses.length * STATUS_BYTES);
    return statuses;
  };
}

interface OrganizationFacts
  extends Pick<
    OrganizationRow,
    'uuid' | 'statusesVersion' | 'defaultChannelIds' | 'defaultChannelGroups' | 'systemGroupIds'
  > {
  realm: Organization;
  permissions: RealmGroupSettings;
}

export async function loadOrganization(sql: Sql, realmId: number): Promise<LoadedOrganization> {
  const row = await loadOrganizationRow(sql, realmId);
  const { realm, images, groupSettings, uuid, statusesVersion, defaultChannelIds, defaultChannelGroups } = row;
  const { systemGroupIds, linkifiers, playgrounds, channelFolders, domains, profileFields, customEmoji } = row;
  const completing = { creatorId: null, systemGroupIds };
  const permissions = completeSettings(REALM_PERMISSION_SETTINGS, groupSettings, completing);
  const parts = { uuid, statusesVersion, defaultChannelIds, defaultChannelGroups, systemGroupIds };
  return {
    facts: { realm: { ...realm, images }, permissions, ...parts },
    lists: { linkifiers, playgrounds, channelFolders, domains, profileFields, customEmoji, profiles: [] },
  };
}

type OrganizationFields = Pick<
  RegisterState,
  'realm' | 'realmGroupSettings' | 'systemGroupIds' | 'realmUuid' | 'ownRights'
>;

/** The organization itself in POST /register, with the caller's rights. */
export function organizationState(
  { config }: Context,
  { realm, permissions, systemGroupIds, uuid }: OrganizationFacts,
  actor: Actor,
): OrganizationFields {
  const { enable_spectator_access: areVisitorsAdmitted } = realmSettingsOf(realm);
  const areWebPublicChannelsEnabled = areVisitorsAdmitted && config.WEB_PUBLIC_STREAMS_ENABLED;
  return {
    realm,
    realmGroupSettings: permissions as Record<string, GroupSetting>,
    systemGroupIds,
    realmUuid: uuid,
    ownRights: ownRights(actor, permissions, areWebPublicChannelsEnabled),
  };
}
