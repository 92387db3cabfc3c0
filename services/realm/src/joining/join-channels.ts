import { REALM_PERMISSION_SETTINGS } from '@parley/shared/access';
import type { Transaction } from '@parley/shared/db';
import { BadRequestError, InsufficientPermissionError } from '@parley/shared/errors';
import { channelLink, silentMention } from '@parley/shared/notice-text';
import type {
  Channel,
  ChannelToJoin,
  SubscribeRequest,
  SubscribeResponse,
  User,
  UserChannels,
} from '@parley/shared/proto';
import { groupBy, LIMITS } from '@parley/shared/values';
import type { Actor } from '../actors/actor';
import { mayBy } from '../actors/permissions';
import { requireNonGuest } from '../base/guards';
import { nameKey } from '../base/name-key';
import { viewerOf } from '../channel-access/access-channel';
import { channelDescriptionFromInput, channelNameFromInput } from '../channel-access/channel-input';
import { lockChannels } from '../channel-access/channels.sql';
import { mayAddSubscribers, maySubscribe } from '../channel-access/permissions';
import { createChannels } from '../channels/create-channels';
import type { Context } from '../context';
import { loadRealmGroupSettings } from '../group-settings/complete-settings';
import { announceNotice } from '../notices/announce-notice';
import { addSubscriptions } from '../subscriptions/begin-subscriptions';
import { colorFromInput } from '../subscriptions/plan-subscriptions';
import { areOthers, holdPrincipals, refuseTooMany, requireActive } from '../subscriptions/principals';
import { listSubscriptions, type Pair } from '../subscriptions/subscriptions.sql';

/** Subscribes the actor or others to channels, and creates missing channels. The caller holds the organization (holdRealm). */
export async function joinChannels(
  ctx: Context,
  tx: Transaction,
  actor: Actor,
  request: SubscribeRequest,
): Promise<SubscribeResponse> {
  requireNonGuest(actor.user);
  const { realmId } = actor.user;
  const joins = joinsFromInput(request.channels);
  const principals = await holdPrincipals(tx, actor.user, request);
  refuseTooMany(joins.length, principals);
  const { joinable, missing, refused } = sortOut(joins, await holdChannels(tx, actor, joins), actor);
  const made = await createChannels(ctx, tx, actor, { channels: missing, settings: request.newChannel });
  if (request.areAuthorizationErrorsFatal) refuseFirst(refused);
  if (areOthers(principals, actor.user)) await requireRightToAdd(tx, actor, joinable, made);
  requireActive(principals);

  const channels = inOrderOf(joins, [...joinable, ...made]);
  const { subscribed, alreadySubscribed } = await addSubscriptions(ctx, tx, {
    realmId,
    channelIds: channels.map(({ id }) => id),
    userIds: principals.users.map(({ id }) => id),
    colors: colorsOf(joins, channels),
  });
  const isFew = new Set(subscribed.map(({ userId }) => userId)).size <= LIMITS.maxNotifiedSubscribers;
  const areNoticesSent = request.sendsNotices && isFew;
  if (areNoticesSent) await announceNewSubscriptions(tx, actor.user, principals.users, joinable, subscribed);
  return {
    subscribed: toUserChannels(subscribed, channels),
    alreadySubscribed: toUserChannels(alreadySubscribed, channels),
    unauthorized: refused.map(({ name }) => name),
    areNoticesSent,
  };
}

interface LockedChannel extends Channel {
  /** The actor's. */
  isSubscribed: boolean;
}

async function holdChannels(tx: Transaction, { user }: Actor, joins: readonly Join[]): Promise<LockedChannel[]> {
  const keys = joins.map((join) => join.nameKey);
  const channels = await lockChannels(tx, user.realmId, keys);
  // NOTE: read in a separate statement: the one that waited for the locks has an older snapshot of the subscriptions.
  const ids = channels.map(({ id }) => id);
  const records = await listSubscriptions(tx, user.realmId, ids, [user.id]);
  const subscribedIds = new Set(records.filter(({ isActive }) => isActive).map(({ channelId }) => channelId));
  return channels.map((channel) => ({ ...channel, isSubscribed: subscribedIds.has(channel.id) }));
}

function sortOut(joins: readonly Join[], existing: readonly LockedChannel[], actor: Actor) {
  const byKey = new Map(existing.map((channel) => [nameKey(channel.name), channel]));
  const joinable: LockedChannel[] = [];
  const missing: Join[] = [];
  const refused: Join[] = [];
  for (const join of joins) {
    const channel = byKey.get(join.nameKey);
    if (!channel) missing.push(join);
    else if (maySubscribe(channel, viewerOf(actor, channel, channel.isSubscribed))) joinable.push(channel);
    else refused.push(join);
  }
  return { joinable, missing, refused };
}

function refuseFirst([first]: readonly Join[]): void {
  if (first) throw new BadRequestError(`Unable to access channel (${first.name}).`);
}

/** Refuses actors who may not subscribe others to existing channels, or to those just created. */
export async function requireRightToAdd(
  tx: Transaction,
  actor: Actor,
  joinable: readonly LockedChannel[],
  made: readonly Channel[],
): Promise<void> {
  const { can_add_subscribers_group: value } = await loadRealmGroupSettings(tx, actor.user.realmId);
  const mayAddAnywhere = mayBy(actor, value, REALM_PERMISSION_SETTINGS.can_add_subscribers_group);
  // The creator of a channel may read it without a subscription.
  const channels = [...joinable, ...made.map((channel) => ({ ...channel, isSubscribed: true }))];
  for (const channel of channels) {
    const viewer = viewerOf(actor, channel, channel.isSubscribed);
    if (!mayAddSubscribers(channel, viewer, mayAddAnywhere)) throw new InsufficientPermissionError();
  }
}

function inOrderOf(joins: readonly Join[], channels: readonly Channel[]): Channel[] {
  const byKey = new Map(channels.map((channel) => [nameKey(channel.name), channel]));
  return joins.flatMap((join) => byKey.get(join.nameKey) ?? []);
}

function colorsOf(joins: readonly Join[], channels: readonly Channel[]): Map<number, string> {
  const idOf = new Map(channels.map(({ id, name }) => [nameKey(name), id]));
  return new Map(
    joins.flatMap(({ nameKey: key, color }) => {
      const id = idOf.get(key);
      return id === undefined || color === null ? [] : [[id, color]];
    }),
  );
}

function toUserChannels(pairs: readonly Pair[], channels: readonly Channel[]): UserChannels[] {
  const nameOf = new Map(channels.map(({ id, name }) => [id, name]));
  return [...groupBy(pairs, ({ userId }) => userId)].map(([userId, own]) => ({
    userId,
    channelNames: own.map(({ channelId }) => nameOf.get(channelId) as string),
  }));
}

const MAX_CHANNELS = 500;

/** A channel in a request to subscribe. */
interface Join {
  name: string;
  nameKey: string;
  /** For a new channel. */
  description: string;
  /** Null: chosen by the server. */
  color: string | null;
}

/** The distinct channels of a request. */
export function joinsFromInput(channels: readonly ChannelToJoin[]): Join[] {
  if (channels.length > MAX_CHANNELS) throw new BadRequestError(`Too many channels (limit: ${MAX_CHANNELS})`);
  const joins = new Map<string, Join>();
  channels.forEach((channel, index) => {
    const join = joinFromInput(channel, index);
    if (!joins.has(join.nameKey)) joins.set(join.nameKey, join);
  });
  return [...joins.values()];
}

function joinFromInput({ name: text, description, color: colorText }: ChannelToJoin, index: number): Join {
  const name = channelNameFromInput(text);
  const color = colorText === '' ? null : colorFromInput(colorText, `subscriptions[${index}]["color"]`);
  return { name, nameKey: nameKey(name), description: channelDescriptionFromInput(description), color };
}

/** Notifies people by direct message that another user subscribed them to existing channels. */
async function announceNewSubscriptions(
  tx: Transaction,
  actor: User,
  users: readonly User[],
  existing: readonly Channel[],
  subscribed: readonly Pair[],
): Promise<void> {
  const linkOf = new Map(existing.map((channel) => [channel.id, channelLink(channel)]));
  const people = new Set(users.filter(({ id, isBot }) => !isBot && id !== actor.id).map(({ id }) => id));
  const links = new Map<number, string[]>();
  for (const { channelId, userId } of subscribed) {
    const link = linkOf.get(channelId);
    if (link !== undefined && people.has(userId)) links.set(userId, [...(links.get(userId) ?? []), link]);
  }
  const receivers = new Map<string, number[]>();
  for (const [userId, own] of links) {
    const content = contentOf(actor, own);
    receivers.set(content, [...(receivers.get(content) ?? []), userId]);
  }
  const notices = [...receivers].map(([content, userIds]) => ({
    from: 'notification-bot' as const,
    to: { userIds },
    content,
    readByIds: [],
  }));
  await announceNotice(tx, actor.realmId, ...notices);
}

function contentOf(actor: User, links: readonly string[]): string {
  const who = silentMention(actor);
  if (links.length === 1) return `${who} subscribed you to ${links[0]}.`;
  return `${who} subscribed you to the following channels:\n\n${links.map((link) => `* ${link}`).join('\n')}`;
}
