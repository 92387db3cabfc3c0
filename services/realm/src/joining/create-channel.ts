import type { Transaction } from '@parley/shared/db';
import { ChannelAlreadyExistsError } from '@parley/shared/errors';
import type { Channel, CreateChannelRequest, CreateChannelResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { type Actor, loadActor } from '../actors/actor';
import { requireNonGuest } from '../base/guards';
import { nameKey } from '../base/name-key';
import { isUniqueViolation } from '../base/unique-violation';
import { channelDescriptionFromInput, channelNameFromInput } from '../channel-access/channel-input';
import { CHANNEL_NAME_IS_UNIQUE, loadChannelsByNames } from '../channel-access/channels.sql';
import { createChannels, holdForChannels } from '../channels/create-channels';
import type { Context } from '../context';
import { addSubscriptions } from '../subscriptions/begin-subscriptions';
import { holdPrincipals, requireActive } from '../subscriptions/principals';
import { requireRightToAdd } from './join-channels';

/** Creates a channel and subscribes users to it; the caller only if the request names them. */
export async function createChannel(
  ctx: Context,
  caller: Caller,
  request: CreateChannelRequest,
): Promise<CreateChannelResponse> {
  const name = channelNameFromInput(request.name);
  try {
    return await ctx.db.transaction((tx) => createIn(ctx, tx, caller, { ...request, name }));
  } catch (error) {
    // A concurrent transaction has created a channel of that name.
    throw isUniqueViolation(error, CHANNEL_NAME_IS_UNIQUE) ? new ChannelAlreadyExistsError(name) : error;
  }
}

async function createIn(
  ctx: Context,
  tx: Transaction,
  caller: Caller,
  { name, description, subscriberIds, settings }: CreateChannelRequest,
): Promise<CreateChannelResponse> {
  const { realmId } = caller;
  await holdForChannels(tx, realmId, settings);
  const actor = await loadActor(tx, caller, ctx.clock.now());
  requireNonGuest(actor.user);
  const namesakes = await loadChannelsByNames(tx, realmId, [nameKey(name)]);
  if (namesakes.length > 0) throw new ChannelAlreadyExistsError(name);
  const userIds = await readSubscribers(tx, actor, subscriberIds);

  const channels = [{ name, description: channelDescriptionFromInput(description) }];
  const [channel] = (await createChannels(ctx, tx, actor, { channels, settings })) as [Channel];
  if (userIds.some((userId) => userId !== caller.userId)) await requireRightToAdd(tx, actor, [], [channel]);
  await addSubscriptions(ctx, tx, { realmId, channelIds: [channel.id], userIds });
  return { channelId: channel.id };
}

async function readSubscribers(tx: Transaction, { user }: Actor, subscriberIds: readonly number[]): Promise<number[]> {
  if (subscriberIds.length === 0) return [];
  const principals = await holdPrincipals(tx, user, { principalIds: [...subscriberIds], principalEmails: [] });
  requireActive(principals);
  return principals.users.map(({ id }) => id);
}
