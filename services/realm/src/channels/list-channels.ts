import { BadRequestError } from '@parley/shared/errors';
import type { Channel, ListChannelsRequest, ListedChannels } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { isAdministrator, isGuest } from '@parley/shared/values';
import { loadActor } from '../actors/load-actor';
import type { Context } from '../context';
import { listDefaultChannelIds } from '../default-channels/default-channels.sql';
import { type SeenChannel, seenBy } from './access-channel';
import { listSubscribedChannelIds, loadChannels } from './channels.sql';
import { hasContentAccess, hasMetadataAccess } from './permissions';

/** Channels that the caller may know of, by name: those that the request chooses. */
export async function listChannels(
  ctx: Context,
  caller: Caller,
  request: ListChannelsRequest,
): Promise<ListedChannels> {
  const { realmId } = caller;
  const actor = await loadActor(ctx.db, caller, ctx.clock.now());
  const { botOwnerId, role } = actor.user;
  if (request.includesAllForAdministrators && !isAdministrator(role)) {
    throw new BadRequestError('User not authorized for this query');
  }
  const isOwnerAsked = request.includesOwnerSubscribed && botOwnerId !== undefined;
  const ownerIds = new Set(isOwnerAsked ? await listSubscribedChannelIds(ctx.db, realmId, botOwnerId) : []);
  const defaultIds = new Set(await listDefaultChannelIds(ctx.db, realmId));
  const seen = await seenBy(ctx.db, actor, await loadChannels(ctx.db, realmId));
  const chosen = seen.filter((one) => isChosen(one, request) || ownerIds.has(one.channel.id));
  const channels = chosen
    .map(({ channel }) => ({ channel, isDefault: defaultIds.has(channel.id) }))
    .filter(({ channel }) => !request.excludesArchived || !channel.isArchived);
  return { channels: channels.sort((a, b) => byName(a.channel, b.channel)) };
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
