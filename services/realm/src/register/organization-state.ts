import { joined, VersionedMemory } from '@parley/shared/batch';
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

/** The state of organizations, as it is when somebody asks; statuses are read again only if any has changed. */
export function organizationReader(ctx: Context): (realmId: number) => Promise<OrganizationState> {
  const statusesOf = statusesReader(ctx);
  const read = async (realmId: number) => {
    const [facts, defaultChannelIds, defaultChannelGroups, lists, statuses] = await Promise.all([
      loadOrganization(ctx, realmId),
      listDefaultChannelIds(ctx.db, realmId),
      listDefaultChannelGroups(ctx.db, realmId),
      loadOrganizationLists(ctx.db, realmId, { includesProfiles: false }),
      statusesOf(realmId),
    ]);
    const withoutProfiles = { ...lists, profiles: [] };
    return { facts, defaultChannelIds, defaultChannelGroups, lists: withoutProfiles, statuses };
  };
  return joined(read, Number);
}

function statusesReader({ db, clock }: Context): (realmId: number) => Promise<UserStatus[]> {
  const memory = new VersionedMemory<UserStatus[]>(clock, MAX_STATUSES_BYTES);
  return async (realmId) => {
    const key = String(realmId);
    // Before the statuses: they are of this version or of a later one, which the next to ask gets to see.
    const version = await findStatusesVersion(db, realmId);
    const known = memory.recall(key);
    if (known?.version === version) return known.value;
    const statuses = await listStatuses(db, realmId);
    memory.keep(key, version, statuses, statuses.length * STATUS_BYTES);
    return statuses;
  };
}
