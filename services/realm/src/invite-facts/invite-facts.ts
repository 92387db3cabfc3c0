import { REALM_PERMISSION_SETTINGS, type RealmPermissionName } from '@parley/shared/access';
import type { Sql } from '@parley/shared/db';
import { BadRequestError } from '@parley/shared/errors';
import type {
  AdministratorIds,
  GetInviteFactsRequest,
  InviteAddress,
  InviteChannel,
  InviteFacts,
  InviteGroup,
  ListAdministratorsRequest,
  User,
} from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { emailFromInput, objectionToEmail } from '../accounts/email-address';
import { findUsersByAddresses } from '../accounts/users.sql';
import { type Actor, loadActor } from '../actors/actor';
import { mayBy } from '../actors/permissions';
import { requireMember } from '../base/guards';
import { possibleIds } from '../base/possible-values';
import { seenBy } from '../channel-access/access-channel';
import { loadChannels } from '../channel-access/channels.sql';
import { hasContentAccess, mayAddSubscribers } from '../channel-access/permissions';
import type { Context } from '../context';
import { loadRealmGroupSettings, type RealmGroupSettings } from '../group-settings/complete-settings';
import { findSystemGroupIds } from '../group-settings/group-settings.sql';
import { selectGroups } from '../groups/groups.sql';
import { toGroup } from '../groups/list-groups';
import { mayAddMembers } from '../groups/permissions';
import { type InvitingOrganization, listAdministrators as load, loadInvitingOrganization } from './invite-facts.sql';

/** The facts for a user's invitations: the number of statements does not depend on the request's size. */
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
    language: settings.default_language,
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

/** The groups among these that exist, and whether the actor may add members. */
export async function groupFacts(
  sql: Sql,
  { actor, permissions, groupIds, nowMs }: Asking & { groupIds: number[]; nowMs: number },
): Promise<InviteGroup[]> {
  if (groupIds.length === 0) return [];
  const { realmId } = actor.user;
  const systemGroupIds = await findSystemGroupIds(sql, realmId);
  const rows = await selectGroups(sql, realmId, nowMs, groupIds);
  return rows.map((row) => {
    const group = toGroup(row, systemGroupIds);
    const { id, isDeactivated } = group;
    return { id, isDeactivated, mayAddMembers: mayAddMembers(actor, group, permissions, []) };
  });
}

/** The users to notify of changed invitations. */
export async function listAdministrators(
  { db }: Context,
  { realmId }: ListAdministratorsRequest,
): Promise<AdministratorIds> {
  return { userIds: await load(db, realmId) };
}

/** Facts about addresses before accounts are created for them: one answer for each, in order. */
export async function addressFacts(
  sql: Sql,
  realmId: number,
  organization: Pick<InvitingOrganization, 'settings' | 'domains'>,
  texts: readonly string[],
): Promise<InviteAddress[]> {
  const emails = texts.map(readEmail);
  const holders = await findHolders(
    sql,
    realmId,
    emails.filter((email) => email !== null),
  );
  return emails.map((email) =>
    email === null
      ? { objection: 'invalid', holder: '' }
      : { objection: objectionToEmail(email, organization) ?? '', holder: holders.get(email.toLowerCase()) ?? '' },
  );
}

function readEmail(text: string): string | null {
  try {
    return emailFromInput(text);
  } catch (error) {
    if (error instanceof BadRequestError) return null;
    throw error;
  }
}

async function findHolders(sql: Sql, realmId: number, emails: readonly string[]): Promise<Map<string, string>> {
  const users = emails.length === 0 ? [] : await findUsersByAddresses(sql, realmId, emails);
  return new Map(
    users.flatMap((user) => [user.email, user.deliveryEmail].map((email) => [email.toLowerCase(), holderOf(user)])),
  );
}

function holderOf({ isSystemBot, isActive }: User): string {
  if (isSystemBot) return 'system-bot';
  return isActive ? 'active' : 'deactivated';
}
