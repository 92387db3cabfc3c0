import type { Transaction } from '@parley/shared/db';
import { BadRequestError, InsufficientPermissionError, StreamDoesNotExistError } from '@parley/shared/errors';
import type { Channel, UnsubscribeRequest, UnsubscribeResponse, User } from '@parley/shared/proto';
import { groupBy } from '@parley/shared/values';
import type { Actor } from '../actors/actor';
import { nameKey } from '../base/name-key';
import { possibleTexts } from '../base/possible-values';
import { viewerOf } from '../channel-access/access-channel';
import { lockChannels } from '../channel-access/channels.sql';
import { hasMetadataAccess, mayRemoveSubscribers } from '../channel-access/permissions';
import type { Context } from '../context';
import { removeSubscriptions } from '../subscriptions/end-subscriptions';
import { holdPrincipals, refuseTooMany, requireActive } from '../subscriptions/principals';
import { listSubscriptions, type Pair } from '../subscriptions/subscriptions.sql';

const MAX_CHANNELS = 500;

/** Unsubscribes the actor or others from channels. The caller holds the organization (holdRealm). */
export async function leaveChannels(
  ctx: Context,
  tx: Transaction,
  actor: Actor,
  request: UnsubscribeRequest,
): Promise<UnsubscribeResponse> {
  const { realmId } = actor.user;
  const names = namesFromInput(request.channelNames);
  const principals = await holdPrincipals(tx, actor.user, request);
  requireActive(principals);
  const { users } = principals;
  refuseTooMany(names.size, principals);
  const channels = await findChannels(tx, actor, names, users);
  const isForOthers = users.some((user) => !isOwn(user, actor.user));
  if (isForOthers && !channels.every(({ mayRemove }) => mayRemove)) throw new InsufficientPermissionError();

  const nameOf = new Map(channels.map(({ channel }) => [channel.id, channel.name]));
  const toNames = (pairs: readonly Pair[]) => pairs.map(({ channelId }) => nameOf.get(channelId) as string);
  const { removed, notRemoved } = await removeSubscriptions(ctx, tx, {
    realmId,
    channelIds: [...nameOf.keys()],
    userIds: users.map(({ id }) => id),
  });
  return { removed: toNames(removed), notRemoved: toNames(notRemoved) };
}

/** Names as looked up, and as sent. */
function namesFromInput(texts: readonly string[]): Map<string, string> {
  if (texts.length > MAX_CHANNELS) throw new BadRequestError(`Too many channels (limit: ${MAX_CHANNELS})`);
  const names = texts.map((text) => text.trim());
  return new Map(names.map((name) => [nameKey(name), name]));
}

/** The actor, and the actor's bots. */
function isOwn({ id, botOwnerId }: User, { id: actorId }: User): boolean {
  return id === actorId || botOwnerId === actorId;
}

interface ChannelToLeave {
  channel: Channel;
  /** Whether the actor may unsubscribe anybody. */
  mayRemove: boolean;
}

/** In the order of the names; refuses the first that the actor cannot see. */
async function findChannels(
  tx: Transaction,
  actor: Actor,
  names: ReadonlyMap<string, string>,
  users: readonly User[],
): Promise<ChannelToLeave[]> {
  const { realmId, id: actorId } = actor.user;
  const channels = await lockChannels(tx, realmId, possibleTexts([...names.keys()]));
  const ownIds = [actorId, ...users.filter((user) => isOwn(user, actor.user)).map(({ id }) => id)];
  const ids = channels.map(({ id }) => id);
  const records = (await listSubscriptions(tx, realmId, ids, ownIds)).filter(({ isActive }) => isActive);
  const recordsOf = groupBy(records, ({ channelId }) => channelId);
  const byKey = new Map(channels.map((channel) => [nameKey(channel.name), channel]));
  return [...names].map(([key, name]) => {
    const channel = byKey.get(key);
    const own = (channel && recordsOf.get(channel.id)) ?? [];
    const viewer =
      channel &&
      viewerOf(
        actor,
        channel,
        own.some(({ userId }) => userId === actorId),
      );
    // A user's bot may be in channels that its owner is not in.
    if (!channel || !viewer || !(own.length > 0 || hasMetadataAccess(channel, viewer))) {
      throw new StreamDoesNotExistError({ stream: name });
    }
    return { channel, mayRemove: mayRemoveSubscribers(channel, viewer) };
  });
}
