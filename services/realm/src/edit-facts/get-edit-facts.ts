import { REALM_PERMISSION_SETTINGS, type RealmPermissionName } from '@parley/shared/access';
import type { ChannelEditFacts, EditFacts, GetEditFactsRequest, SendFacts } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Actor } from '../actors/actor';
import { loadActor } from '../actors/load-actor';
import { mayBy } from '../actors/permissions';
import { type SeenChannel, seenBy } from '../channels/access-channel';
import { loadChannels } from '../channels/channels.sql';
import type { Context } from '../context';
import { loadRealmGroupSettings } from '../group-settings/load-realm-group-settings';
import { possibleIds } from '../possible-values';
import { getReadFacts } from '../read-facts/get-read-facts';
import { getSendFacts } from '../send-facts/get-send-facts';
import { findNotificationBot, listGuestIdsOnlyIn } from './edit-facts.sql';

const REALM_PERMISSIONS = Object.keys(REALM_PERMISSION_SETTINGS) as RealmPermissionName[];

/** What changing and deleting messages depends on. Edits are rare: it is put together from what sends and reads ask for. */
export async function getEditFacts(ctx: Context, caller: Caller, request: GetEditFactsRequest): Promise<EditFacts> {
  const { realmId } = caller;
  const channelIds = possibleIds(request.channelIds).slice(0, 2);
  const [actor, read, settings, channels, sends, notificationBot] = await Promise.all([
    loadActor(ctx.db, caller, ctx.clock.now()),
    getReadFacts(ctx, caller),
    loadRealmGroupSettings(ctx.db, realmId),
    channelIds.length > 0 ? loadChannels(ctx.db, realmId, channelIds) : [],
    loadSends(ctx, caller, channelIds, request),
    findNotificationBot(ctx.db, realmId),
  ]);
  const isAllowed = (name: RealmPermissionName) => mayBy(actor, settings[name], REALM_PERMISSION_SETTINGS[name]);
  const seen = await seenBy(ctx.db, actor, channels);
  const [from, to] = channelIds;
  const guestIds = from === undefined || to === undefined ? [] : await listGuestIdsOnlyIn(ctx.db, realmId, from, to);
  return {
    read,
    permissions: REALM_PERMISSIONS.filter(isAllowed),
    channels: channelIds.flatMap((channelId, index) =>
      toChannelFacts(actor, find(seen, channelId), sends[index], index === 0 ? guestIds : []),
    ),
    notificationBot,
    send: sends[0] ?? null,
  };
}

async function loadSends(
  ctx: Context,
  { realmId, userId }: Caller,
  channelIds: readonly number[],
  { channelIds: _asked, ...names }: GetEditFactsRequest,
): Promise<SendFacts[]> {
  const common = { realmId, senderId: userId, recipientIds: [], recipientEmails: [] };
  const nothing = { mentionedNames: [], mentionedGroupNames: [], linkedChannelNames: [], emojiNames: [] };
  const [first, second] = channelIds;
  const queries = [{ ...common, ...names, ...(first === undefined ? {} : { channelId: first }) }];
  if (second !== undefined) queries.push({ ...common, ...nothing, channelId: second });
  return (await getSendFacts(ctx, { queries })).facts;
}

function find(seen: readonly SeenChannel[], channelId: number): SeenChannel | undefined {
  return seen.find(({ channel }) => channel.id === channelId);
}

function toChannelFacts(
  actor: Actor,
  seen: SeenChannel | undefined,
  facts: SendFacts | undefined,
  guestIds: number[],
): ChannelEditFacts[] {
  if (!seen || !facts?.channel || !actor.user.isActive) return [];
  return [{ send: facts.channel, permissions: [...seen.viewer.holds], guestIds }];
}
