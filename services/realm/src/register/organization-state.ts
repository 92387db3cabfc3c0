import type { DefaultChannelGroup, OrganizationLists, UserStatus } from '@parley/shared/proto';
import type { Context } from '../context';
import { listDefaultChannelGroups } from '../default-channel-groups/default-channel-groups.sql';
import { listDefaultChannelIds } from '../default-channels/default-channels.sql';
import { loadOrganization, type OrganizationFacts } from './load-organization';
import { loadOrganizationLists } from './organization-lists.sql';
import { listStatuses } from './personal-state.sql';

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

export async function loadOrganizationState(ctx: Context, realmId: number): Promise<OrganizationState> {
  const [facts, defaultChannelIds, defaultChannelGroups, lists, statuses] = await Promise.all([
    loadOrganization(ctx, realmId),
    listDefaultChannelIds(ctx.db, realmId),
    listDefaultChannelGroups(ctx.db, realmId),
    loadOrganizationLists(ctx.db, realmId, { includesProfiles: false }),
    listStatuses(ctx.db, realmId),
  ]);
  const withoutProfiles = { ...lists, profiles: [] };
  return { facts, defaultChannelIds, defaultChannelGroups, lists: withoutProfiles, statuses };
}
