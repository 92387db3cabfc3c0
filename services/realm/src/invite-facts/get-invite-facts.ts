import { REALM_PERMISSION_SETTINGS, type RealmPermissionName } from '@parley/shared/access';
import type { Sql } from '@parley/shared/db';
import type { GetInviteFactsRequest, InviteChannel, InviteFacts, InviteGroup } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Actor } from '../actors/actor';
import { loadActor } from '../actors/load-actor';
import { mayBy } from '../actors/permissions';
import { seenBy } from '../channels/access-channel';
import { loadChannels } from '../channels/channels.sql';
import { hasContentAccess, mayAddSubscribers } from '../channels/permissions';
import type { Context } from '../context';
import { findSystemGroupIds } from '../group-settings/group-settings.sql';
import { loadRealmGroupSettings, type RealmGroupSettings } from '../group-settings/load-realm-group-settings';
import { listGroups } from '../groups/groups.sql';
import { mayAddMembers } from '../groups/permissions';
import { toGroup } from '../groups/to-group';
import { requireMember } from '../guards';
import { possibleIds } from '../possible-values';
import { addressFacts } from './address-facts';
import { loadInvitingOrganization } from './invite-facts.sql';

/** What somebody's invitations depend on: as many statements for one address, channel and group as for all of them. */
export async function getInviteFacts(
  ctx: Context,
  caller: Caller,
  { channelIds, groupIds, emails }: GetInviteFactsRequest,
): Promise<InviteFacts> {
  const { db } = ctx;
  const { realmId } = caller;
  const nowMs = ctx.clock.now();
  const actor = await loadActor(db, caller, nowMs);
  requireMember(actor.user);
  const [organization, permissions] = await Promise.all([
    loadInvitingOrganization(db, realmId),
    loadRealmGroupSettings(db, realmId),
  ]);
  const { name, subdomain, settings, administratorIds, defaultChannelIds } = organization;
  const asked = { channelIds: possibleIds(channelIds), groupIds: possibleIds(groupIds) };
  const [channels, groups, addresses] = await Promise.all([
    channelFacts(db, { actor, permissions, channelIds: asked.channelIds, defaultChannelIds }),
    groupFacts(db, { actor, permissions, groupIds: asked.groupIds, nowMs }),
    addressFacts(db, realmId, organization, emails),
  ]);
  return {
    actor: actor.user,
    mayInvite: may(actor, permissions, 'can_invite_users_group'),
    mayCreateLinks: may(actor, permissions, 'create_multiuse_invite_group'),
    organizationName: name,
    subdomain,
    isInviteRequired: settings.invite_required,
    channels,
    groups,
    addresses,
    administratorIds,
  };
}

function may(actor: Actor, permissions: RealmGroupSettings, name: RealmPermissionName): boolean {
  return mayBy(actor, permissions[name], REALM_PERMISSION_SETTINGS[name]);
}

interface Asking {
  actor: Actor;
  permissions: RealmGroupSettings;
}

async function channelFacts(
  sql: Sql,
  {
    actor,
    permissions,
    channelIds,
    defaultChannelIds,
  }: Asking & { channelIds: number[]; defaultChannelIds: readonly number[] },
): Promise<InviteChannel[]> {
  if (channelIds.length === 0) return [];
  const mayAddAnywhere = may(actor, permissions, 'can_add_subscribers_group');
  const seen = await seenBy(sql, actor, await loadChannels(sql, actor.user.realmId, channelIds));
  return seen.flatMap(({ channel, viewer }) => {
    const isDefault = defaultChannelIds.includes(channel.id);
    if (channel.isArchived || !(isDefault || hasContentAccess(channel, viewer))) return [];
    return [{ id: channel.id, isDefault, mayAddSubscribers: mayAddSubscribers(channel, viewer, mayAddAnywhere) }];
  });
}

async function groupFacts(
  sql: Sql,
  { actor, permissions, groupIds, nowMs }: Asking & { groupIds: number[]; nowMs: number },
): Promise<InviteGroup[]> {
  if (groupIds.length === 0) return [];
  const { realmId } = actor.user;
  const systemGroupIds = await findSystemGroupIds(sql, realmId);
  const rows = await listGroups(sql, realmId, nowMs, groupIds);
  return rows.map((row) => {
    const group = toGroup(row, systemGroupIds);
    const { id, isDeactivated } = group;
    return { id, isDeactivated, mayAddMembers: mayAddMembers(actor, group, permissions, []) };
  });
}
