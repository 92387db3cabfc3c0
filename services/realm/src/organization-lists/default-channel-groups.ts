import { announce } from '@parley/shared/bus';
import type { Sql, Transaction } from '@parley/shared/db';
import { BadRequestError } from '@parley/shared/errors';
import { defaultChannelGroupsChanged } from '@parley/shared/events';
import type {
  ChangeDefaultChannelGroupChannelsRequest,
  ChangeDefaultChannelGroupChannelsResponse,
  Channel,
  CreateDefaultChannelGroupRequest,
  CreateDefaultChannelGroupResponse,
  DefaultChannelGroup,
  RemoveDefaultChannelGroupRequest,
  RemoveDefaultChannelGroupResponse,
  UpdateDefaultChannelGroupRequest,
  UpdateDefaultChannelGroupResponse,
  User,
} from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { REFUSAL } from '@parley/shared/texts/refusals';
import { codePointLength, findForbiddenCharacter, isGuest, LIMITS, ROLE_VALUES } from '@parley/shared/values';
import { listActiveUserIdsOfRoles } from '../accounts/users.sql';
import { requireAdministrator } from '../base/guards';
import { nameKey } from '../base/name-key';
import { possibleTexts } from '../base/possible-values';
import { loadChannelsByNames } from '../channel-access/channels.sql';
import type { Context, Tables } from '../context';
import { changeOrganization } from '../organization/change-organization';
import { deleteChannelFromGroups, listDefaultChannelGroups } from './default-channel-groups.sql';
import { listDefaultChannelIds } from './default-channels.sql';

/** Creates a set of channels. */
export async function createDefaultChannelGroup(
  ctx: Context,
  caller: Caller,
  request: CreateDefaultChannelGroupRequest,
): Promise<CreateDefaultChannelGroupResponse> {
  const { realmId } = caller;
  return changeDefaultChannelGroups(ctx, caller, async ({ tx, prisma, groups }) => {
    const channels = await findNamedChannels(tx, realmId, request.channelNames);
    const name = groupNameFromInput(request.name, groups);
    const description = groupDescriptionFromInput(request.description);
    await checkNewChannels(tx, realmId, { name, channelIds: [] }, channels);
    const { id } = await prisma.defaultChannelGroup.create({ data: { realmId, name, description } });
    await insertGroupChannels(prisma, realmId, id, channels);
    return { id };
  });
}

/** Renames or describes a set of channels. */
export async function updateDefaultChannelGroup(
  ctx: Context,
  caller: Caller,
  { id, name: newName, description: newDescription }: UpdateDefaultChannelGroupRequest,
): Promise<UpdateDefaultChannelGroupResponse> {
  return changeDefaultChannelGroups(ctx, caller, async ({ prisma, groups }) => {
    if (newName === undefined && newDescription === undefined) {
      throw new BadRequestError('You must pass "new_description" or "new_group_name".');
    }
    const group = findGroup(groups, id);
    const name = newName === undefined ? group.name : groupNameFromInput(newName, groups);
    const description = groupDescriptionFromInput(newDescription ?? group.description);
    await prisma.defaultChannelGroup.updateMany({
      where: { realmId: caller.realmId, id },
      data: { name, description },
    });
    return {};
  });
}

/** Adds channels to a set, or removes them. */
export async function changeDefaultChannelGroupChannels(
  ctx: Context,
  caller: Caller,
  { id, areAdded, channelNames }: ChangeDefaultChannelGroupChannelsRequest,
): Promise<ChangeDefaultChannelGroupChannelsResponse> {
  const { realmId } = caller;
  return changeDefaultChannelGroups(ctx, caller, async ({ tx, prisma, groups }) => {
    const group = findGroup(groups, id);
    const channels = await findNamedChannels(tx, realmId, channelNames);
    if (areAdded) {
      await checkNewChannels(tx, realmId, group, channels);
      await insertGroupChannels(prisma, realmId, id, channels);
    } else await remove(prisma, realmId, group, channels);
    return {};
  });
}

async function insertGroupChannels(
  prisma: Tables,
  realmId: number,
  groupId: number,
  channels: readonly Channel[],
): Promise<void> {
  const data = channels.map(({ id: channelId }) => ({ realmId, groupId, channelId }));
  await prisma.defaultChannelGroupChannel.createMany({ data });
}

async function remove(
  prisma: Tables,
  realmId: number,
  group: DefaultChannelGroup,
  channels: readonly Channel[],
): Promise<void> {
  const stranger = channels.find(({ id }) => !group.channelIds.includes(id));
  if (stranger) {
    throw new BadRequestError(`Channel '${stranger.name}' is not present in default channel group '${group.name}'`);
  }
  const channelId = { in: channels.map(({ id }) => id) };
  await prisma.defaultChannelGroupChannel.deleteMany({ where: { realmId, groupId: group.id, channelId } });
}

/** Deletes a set of channels; the channels stay. */
export async function removeDefaultChannelGroup(
  ctx: Context,
  caller: Caller,
  { id }: RemoveDefaultChannelGroupRequest,
): Promise<RemoveDefaultChannelGroupResponse> {
  const { realmId } = caller;
  return changeDefaultChannelGroups(ctx, caller, async ({ prisma, groups }) => {
    findGroup(groups, id);
    await prisma.defaultChannelGroupChannel.deleteMany({ where: { realmId, groupId: id } });
    await prisma.defaultChannelGroup.deleteMany({ where: { realmId, id } });
    return {};
  });
}

/** Removes the channel from every set, and announces the sets if it was in any. */
export async function leaveDefaultChannelGroups(tx: Transaction, realmId: number, channelId: number): Promise<void> {
  if (await deleteChannelFromGroups(tx, realmId, channelId)) await announceDefaultChannelGroups(tx, realmId);
}

/** The present sets, and the actor. */
interface GroupsChange {
  tx: Transaction;
  prisma: Tables;
  actor: User;
  groups: readonly DefaultChannelGroup[];
}

/** Changes an organization's sets of channels, for administrators, and announces all sets. */
function changeDefaultChannelGroups<Result>(
  ctx: Context,
  caller: Caller,
  change: (facts: GroupsChange) => Promise<Result>,
): Promise<Result> {
  return changeOrganization(ctx, caller, requireAdministrator, async (tx, actor, prisma) => {
    const groups = await listDefaultChannelGroups(tx, caller.realmId);
    const result = await change({ tx, prisma, actor, groups });
    await announceDefaultChannelGroups(tx, caller.realmId);
    return result;
  });
}

const NON_GUEST_ROLES = ROLE_VALUES.filter((role) => !isGuest(role));

/** Announces the organization's present sets of channels. */
async function announceDefaultChannelGroups(tx: Transaction, realmId: number): Promise<void> {
  const groups = await listDefaultChannelGroups(tx, realmId);
  const receiverIds = await listActiveUserIdsOfRoles(tx, realmId, NON_GUEST_ROLES);
  await announce(tx, defaultChannelGroupsChanged(realmId, { groups, receiverIds }));
}

/** Refuses channels that are in the set already, default channels, and private ones, as sets are visible to everybody. */
async function checkNewChannels(
  sql: Sql,
  realmId: number,
  { name, channelIds }: Pick<DefaultChannelGroup, 'name' | 'channelIds'>,
  channels: readonly Channel[],
): Promise<void> {
  const defaultIds = new Set(await listDefaultChannelIds(sql, realmId));
  for (const channel of channels) {
    if (channel.isPrivate) throw new BadRequestError(REFUSAL.channels.noPrivateDefault);
    if (channelIds.includes(channel.id)) {
      throw new BadRequestError(`Channel '${channel.name}' is already present in default channel group '${name}'`);
    }
    if (defaultIds.has(channel.id)) {
      throw new BadRequestError(`'${channel.name}' is a default channel and cannot be added to '${name}'`);
    }
  }
}

const MAX_CHANNELS = 500;

/** The normalized name; refuses names of other sets. */
function groupNameFromInput(text: string, others: readonly DefaultChannelGroup[]): string {
  const name = text.trim();
  if (name === '' || findForbiddenCharacter(name) !== null) {
    throw new BadRequestError(`Invalid default channel group name '${name}'`);
  }
  if (codePointLength(name) > LIMITS.channelNameLength) {
    throw new BadRequestError(`Default channel group name too long (limit: ${LIMITS.channelNameLength} characters)`);
  }
  if (others.some((other) => other.name === name)) {
    throw new BadRequestError(`Default channel group '${name}' already exists`);
  }
  return name;
}

/** The normalized description. */
function groupDescriptionFromInput(text: string): string {
  const limit = LIMITS.channelDescriptionLength;
  if (codePointLength(text) > limit) throw new BadRequestError(`description is too long (limit: ${limit} characters)`);
  return text.replaceAll('\0', '');
}

/** The distinct channels of those names; callers are administrators, who see every channel. */
async function findNamedChannels(sql: Sql, realmId: number, texts: readonly string[]): Promise<Channel[]> {
  if (texts.length > MAX_CHANNELS) throw new BadRequestError(`Too many channels (limit: ${MAX_CHANNELS})`);
  const names = texts.map((text) => text.trim());
  const channels = await loadChannelsByNames(sql, realmId, possibleTexts(names.map(nameKey)));
  const found = new Set(channels.filter(({ isArchived }) => !isArchived).map(({ name }) => nameKey(name)));
  const missing = names.find((name) => !found.has(nameKey(name)));
  if (missing !== undefined) throw new BadRequestError(`Invalid channel name '${missing}'`);
  return channels;
}

/** The set of that id. */
function findGroup(groups: readonly DefaultChannelGroup[], id: number): DefaultChannelGroup {
  const group = groups.find((candidate) => candidate.id === id);
  if (!group) throw new BadRequestError(`Invalid default channel group ${id}`);
  return group;
}
