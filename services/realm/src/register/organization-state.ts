import { VersionedMemory } from '@parley/shared/batch';
import type { Sql } from '@parley/shared/db';
import type { DefaultChannelGroup, OrganizationLists, UserStatus } from '@parley/shared/proto';
import type { Context } from '../context';
import { listDefaultChannelGroups } from '../default-channel-groups/default-channel-groups.sql';
import { listDefaultChannelIds } from '../default-channels/default-channels.sql';
import { loadOrganization, type OrganizationFacts } from './load-organization';
import { loadOrganizationLists } from './organization-lists.sql';
import { listStatuses } from './personal-state.sql';
import { findStatusesVersion } from './versions.sql';

/** What the answers to all members' POST /register are made of, beside what is their own. */
export interface OrganizationState {
  facts: OrganizationFacts;
  defaultChannelIds: number[];
  defaultChannelGroups: DefaultChannelGroup[];
  lists: OrganizationLists;
  statuses: UserStatus[];
}

/** Parts of the state that are told by lists which many share. */
export const NOTHING_SHARED = {
  users: [],
  unknownUserIds: [],
  subscriptions: [],
  unsubscribed: [],
  neverSubscribed: [],
  channelSubscribers: [],
  groups: [],
};

/** What a status takes, about. */
const STATUS_BYTES = 300;
const MAX_STATUSES_BYTES = 32 * 1024 * 1024;

export type OrganizationOf = (sql: Sql, realmId: number) => Promise<OrganizationState>;

/** The state of organizations, as `sql` reads it, once for all who share that; statuses are read again only if any has changed. */
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
    const [facts, defaultChannelIds, defaultChannelGroups, lists, statuses] = await Promise.all([
      loadOrganization(sql, realmId),
      listDefaultChannelIds(sql, realmId),
      listDefaultChannelGroups(sql, realmId),
      loadOrganizationLists(sql, realmId, { includesProfiles: false }),
      statusesOf(sql, realmId),
    ]);
    const withoutProfiles = { ...lists, profiles: [] };
    return { facts, defaultChannelIds, defaultChannelGroups, lists: withoutProfiles, statuses };
  };
}

function statusesReader({ clock }: Context): (sql: Sql, realmId: number) => Promise<UserStatus[]> {
  const memory = new VersionedMemory<UserStatus[]>(clock, MAX_STATUSES_BYTES);
  return async (sql, realmId) => {
    const key = String(realmId);
    const version = await findStatusesVersion(sql, realmId);
    const known = memory.recall(key);
    if (known?.version === version) return known.value;
    const statuses = await listStatuses(sql, realmId);
    memory.keep(key, version, statuses, statuses.length * STATUS_BYTES);
    return statuses;
  };
}
