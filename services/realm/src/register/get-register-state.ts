import type { Sql } from '@parley/shared/db';
import type {
  Channel,
  GetRegisterStateRequest,
  PersonalState,
  RegisterState,
  Subscription,
  User,
} from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { isGuest } from '@parley/shared/values';
import { listSeenUsers, type SeenUser } from '../accounts/accessible-users.sql';
import { listProfiles } from '../accounts/profiles.sql';
import { renderProfile } from '../accounts/shown-profile';
import { type Actor, loadActor } from '../actors/actor';
import { listManagedBots } from '../bot-owners/bots.sql';
import { viewerOf } from '../channel-access/access-channel';
import { listSubscriberIds } from '../channel-access/channel-visibility.sql';
import { completeChannel } from '../channel-access/complete-channel';
import { hasMetadataAccess } from '../channel-access/permissions';
import type { Context } from '../context';
import type { SystemGroupIds } from '../group-settings/complete-settings';
import { selectGroups } from '../groups/groups.sql';
import { toGroups } from '../groups/list-groups';
import { readPresences } from '../presence/presence';
import { loadOrganization, organizationState } from './organization-state';
import { personalState } from './personal-state';
import {
  type ChannelWithSubscription,
  listChannelsWithSubscription,
  listStatuses,
  loadPersonalState,
} from './register.sql';

/** The realm's part of POST /register: everything of the organization that the caller may see. */
export async function getRegisterState(
  ctx: Context,
  caller: Caller,
  request: GetRegisterStateRequest = { includesSubscribers: false },
): Promise<RegisterState> {
  const { result, snapshot } = await ctx.db.readAtOnce((sql) => readState(ctx, sql, caller, request));
  return { ...result, snapshot };
}

async function readState(
  ctx: Context,
  sql: Sql,
  caller: Caller,
  { includesSubscribers, presences }: GetRegisterStateRequest,
): Promise<Omit<RegisterState, 'snapshot'>> {
  const loaded = await loadRows(sql, caller, presences, ctx.clock.now());
  const [{ facts, lists }, seen, rows, groups, personal, statuses, profiles, bots, actor, present] = loaded;
  const { users, unknownUserIds } = divideUsers(seen);
  const ownUser = findOwnUser(users, caller);
  const visible = visibleChannels(rows, facts.systemGroupIds, actor);
  const visibleIds = visible.map(({ channel }) => channel.id);
  return {
    ...organizationState(ctx, facts, actor),
    ownUser,
    users,
    unknownUserIds,
    ...channelLists(visible, ownUser),
    defaultChannelGroups: isGuest(ownUser.role) ? [] : facts.defaultChannelGroups,
    channelSubscribers: includesSubscribers ? await listSubscriberIds(sql, caller.realmId, visibleIds) : [],
    groups: toGroups(groups),
    personal: withoutStatusesOf(unknownUserIds, personalState(ownUser, personal, statuses)),
    lists: { ...lists, profiles: profiles.filter(isAboutOthers(unknownUserIds)).map(renderProfile) },
    bots: bots.map(({ bot }) => bot),
    ...(present && { presences: present }),
  };
}

function loadRows(sql: Sql, caller: Caller, presences: GetRegisterStateRequest['presences'], nowMs: number) {
  const { realmId, userId } = caller;
  return Promise.all([
    loadOrganization(sql, realmId),
    listSeenUsers(sql, realmId, userId, null),
    listChannelsWithSubscription(sql, realmId, userId),
    selectGroups(sql, realmId, nowMs),
    loadPersonalState(sql, realmId, userId),
    listStatuses(sql, realmId),
    listProfiles(sql, realmId, null),
    listManagedBots(sql, realmId, userId),
    loadActor(sql, { realmId, userId }, nowMs),
    presences && readPresences(sql, caller, presences, { listedAtMs: nowMs, viewer: null }),
  ]);
}

/** The users visible to the viewer, and the ids of the others. */
function divideUsers(seen: readonly SeenUser[]): Pick<RegisterState, 'users' | 'unknownUserIds'> {
  return {
    users: seen.filter(({ isKnown }) => isKnown).map(({ user }) => user),
    unknownUserIds: seen.filter(({ isKnown }) => !isKnown).map(({ user }) => user.id),
  };
}

function findOwnUser(users: readonly User[], { realmId, userId }: Caller): User {
  const ownUser = users.find(({ id }) => id === userId);
  if (!ownUser) throw new Error(`organization ${realmId} has no user ${userId}, in whose name it was called`);
  return ownUser;
}

function withoutStatusesOf(unknownUserIds: readonly number[], personal: PersonalState): PersonalState {
  return { ...personal, statuses: personal.statuses.filter(isAboutOthers(unknownUserIds)) };
}

function isAboutOthers(userIds: readonly number[]): (item: { userId: number }) => boolean {
  const excluded = new Set(userIds);
  return ({ userId }) => !excluded.has(userId);
}

interface ChannelState extends Omit<ChannelWithSubscription, 'channel'> {
  channel: Channel;
}

function visibleChannels(
  rows: readonly ChannelWithSubscription[],
  systemGroupIds: SystemGroupIds,
  actor: Actor,
): ChannelState[] {
  const channels = rows.map((row) => ({ ...row, channel: completeChannel(row.channel, systemGroupIds) }));
  return channels.filter(({ channel, isSubscribed }) =>
    hasMetadataAccess(channel, viewerOf(actor, channel, isSubscribed)),
  );
}

/** Each channel is in one of the first three lists. */
function channelLists(channels: readonly ChannelState[], ownUser: User) {
  const subscriptions: Subscription[] = [];
  const unsubscribed: Subscription[] = [];
  const neverSubscribed: Channel[] = [];
  for (const { channel, properties, isSubscribed } of channels) {
    if (properties === null) neverSubscribed.push(channel);
    else (isSubscribed ? subscriptions : unsubscribed).push({ channel, ...properties });
  }
  const defaults = channels.filter(({ isDefault, channel }) => isDefault && !channel.isArchived);
  const defaultChannelIds = isGuest(ownUser.role) ? [] : defaults.map(({ channel }) => channel.id);
  return { subscriptions, unsubscribed, neverSubscribed, defaultChannelIds };
}
