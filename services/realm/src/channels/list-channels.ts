import { BadRequestError } from '@parley/shared/errors';
import type { Channel, ListChannelsRequest, ListedChannels } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { isAdministrator, isGuest } from '@parley/shared/values';
import { loadActor } from '../actors/actor';
import { type SeenChannel, viewerOf } from '../channel-access/access-channel';
import { listSubscribedChannelIds } from '../channel-access/channels.sql';
import { hasContentAccess, hasMetadataAccess } from '../channel-access/permissions';
import type { Context } from '../context';
import type { ChannelsOf } from '../list-changes/list-versions';
import { listDefaultChannelIds } from '../organization-lists/default-channels.sql';

/** The requested kinds of channels that the caller may see, by name. */
export async function listChannels(
  ctx: Context,
  channelsOf: ChannelsOf,
  caller: Caller,
  request: ListChannelsRequest,
): Promise<ListedChannels> {
  const { realmId, userId } = caller;
  const [actor, { channels }, subscribed, defaults] = await Promise.all([
    loadActor(ctx.db, caller, ctx.clock.now()),
    channelsOf(realmId),
    listSubscribedChannelIds(ctx.db, realmId, userId),
    listDefaultChannelIds(ctx.db, realmId),
  ]);
  const { botOwnerId, role } = actor.user;
  if (request.includesAllForAdministrators && !isAdministrator(role)) {
    throw new BadRequestError('User not authorized for this query');
  }
  const isOwnerAsked = request.includesOwnerSubscribed && botOwnerId !== undefined;
  const ownerIds = new Set(isOwnerAsked ? await listSubscribedChannelIds(ctx.db, realmId, botOwnerId) : []);
  const [subscribedIds, defaultIds] = [new Set(subscribed), new Set(defaults)];
  const chosen = channels.filter((channel) => {
    if (request.excludesArchived && channel.isArchived) return false;
    const viewer = viewerOf(actor, channel, subscribedIds.has(channel.id));
    return isChosen({ channel, viewer }, request) || ownerIds.has(channel.id);
  });
  return { channels: chosen.sort(byName).map(({ id }) => ({ channelId: id, isDefault: defaultIds.has(id) })) };
}

function isChosen({ channel, viewer }: SeenChannel, request: ListChannelsRequest): boolean {
  return (
    (request.includesPublic && !channel.isPrivate && !isGuest(viewer.role)) ||
    ((request.includesPublic || request.includesWebPublic) && channel.isWebPublic) ||
    (request.includesSubscribed && viewer.isSubscribed) ||
    (request.includesReadable && hasContentAccess(channel, viewer)) ||
    ((request.includesAll || request.includesAllForAdministrators) && hasMetadataAccess(channel, viewer))
  );
}

function byName(a: Channel, b: Channel): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}
