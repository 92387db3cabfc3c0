import type { Transaction } from '@parley/shared/db';
import { BadRequestError } from '@parley/shared/errors';
import type {
  ChangeOwnSubscriptionsRequest,
  ChangeOwnSubscriptionsResponse,
  GetSubscribersRequest,
  GetSubscribersResponse,
  ListSubscriptionsRequest,
  SubscribeRequest,
  SubscribeResponse,
  SubscriptionList,
  UnsubscribeRequest,
  UnsubscribeResponse,
} from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { type Actor, loadActor } from '../actors/actor';
import { nameKey } from '../base/name-key';
import { possibleIds, possibleTexts } from '../base/possible-values';
import { isUniqueViolation } from '../base/unique-violation';
import { CHANNEL_NAME_IS_UNIQUE, lockChannels } from '../channel-access/channels.sql';
import { holdForChannels } from '../channels/create-channels';
import type { Context } from '../context';
import { ungrouped } from '../subscriptions/known-channels';
import { holdPrincipals } from '../subscriptions/principals';
import { findSubscribers, listOwnAlike } from '../subscriptions/subscriptions.sql';
import { joinChannels } from './join-channels';
import { leaveChannels } from './leave-channels';

const MAX_ATTEMPTS = 3;

/** Subscribes the caller or others to channels, and creates missing channels: all or nothing. */
export function subscribe(ctx: Context, caller: Caller, request: SubscribeRequest): Promise<SubscribeResponse> {
  return withFreshNames(ctx, caller, request, (tx, actor) => joinChannels(ctx, tx, actor, request));
}

/** Runs a transaction that may create channels. Retries it when another one created one of them first. */
async function withFreshNames<Result>(
  ctx: Context,
  caller: Caller,
  wanted: Wanted,
  work: (tx: Transaction, actor: Actor) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await whileHeld(ctx, caller, wanted, work);
    } catch (error) {
      // The channel exists now, and its own rules decide about joining.
      if (attempt === MAX_ATTEMPTS || !isUniqueViolation(error, CHANNEL_NAME_IS_UNIQUE)) throw error;
    }
  }
}

type Wanted = Pick<SubscribeRequest, 'newChannel'>;
const NO_NEW_CHANNEL: Wanted = { newChannel: null };

/** Runs a transaction that tells those who see the channels of its changes: nobody's role changes meanwhile. */
function whileHeld<Result>(
  ctx: Context,
  caller: Caller,
  { newChannel }: Wanted,
  work: (tx: Transaction, actor: Actor) => Promise<Result>,
): Promise<Result> {
  return ctx.db.transaction(async (tx) => {
    await holdForChannels(tx, caller.realmId, newChannel);
    return work(tx, await loadActor(tx, caller, ctx.clock.now()));
  });
}

/** Unsubscribes the caller or others from channels: all or nothing. */
export function unsubscribe(ctx: Context, caller: Caller, request: UnsubscribeRequest): Promise<UnsubscribeResponse> {
  return whileHeld(ctx, caller, NO_NEW_CHANNEL, (tx, actor) => leaveChannels(ctx, tx, actor, request));
}

const THE_CALLER = { principalIds: [], principalEmails: [] };
const NO_CHANGE = {
  subscribed: { subscribed: [], alreadySubscribed: [], unauthorized: [], areNoticesSent: true },
  unsubscribed: { removed: [], notRemoved: [] },
};

/** Subscribes the caller to channels, then unsubscribes them from others: all or nothing. */
export async function changeOwnSubscriptions(
  ctx: Context,
  caller: Caller,
  { added, removedNames }: ChangeOwnSubscriptionsRequest,
): Promise<ChangeOwnSubscriptionsResponse> {
  if (added.length + removedNames.length === 0) {
    throw new BadRequestError('Nothing to do. Specify at least one of "add" or "delete".');
  }
  const joining = {
    ...THE_CALLER,
    channels: added,
    areAuthorizationErrorsFatal: true,
    newChannel: null,
    sendsNotices: true,
  };
  const leaving = { ...THE_CALLER, channelNames: removedNames };
  return withFreshNames(ctx, caller, NO_NEW_CHANNEL, async (tx, actor) => {
    // All locks in one order: concurrent calls with the same channels in reverse cannot deadlock.
    await holdPrincipals(tx, actor.user, THE_CALLER);
    const names = [...added.map(({ name }) => name), ...removedNames].map((name) => nameKey(name.trim()));
    await lockChannels(tx, caller.realmId, possibleTexts(names));
    return {
      subscribed: added.length > 0 ? await joinChannels(ctx, tx, actor, joining) : NO_CHANGE.subscribed,
      unsubscribed: removedNames.length > 0 ? await leaveChannels(ctx, tx, actor, leaving) : NO_CHANGE.unsubscribed,
    };
  });
}

/** The caller's subscriptions, without the channels' public data. */
export async function listSubscriptions(
  ctx: Context,
  { realmId, userId }: Caller,
  { isGrouped }: ListSubscriptionsRequest,
): Promise<SubscriptionList> {
  const alike = await listOwnAlike(ctx.db, realmId, userId);
  const groups = alike.map(({ channelIds, properties }) => ({
    channelIds: channelIds.sort((a, b) => a - b),
    isSubscribed: true,
    subscription: { channel: null, ...properties },
  }));
  return isGrouped ? { channels: [], groups } : { channels: ungrouped(groups), groups: [] };
}

/** Subscribers of a channel at every version up to the returned one; version 0 when there is no such channel. */
export async function getSubscribers(
  ctx: Context,
  { realmId, channelId }: GetSubscribersRequest,
): Promise<GetSubscribersResponse> {
  const isPossible = possibleIds([realmId, channelId]).length === 2;
  const found = isPossible ? await findSubscribers(ctx.db, realmId, channelId) : null;
  return { version: found?.version ?? 0, subscribers: found?.subscribers ?? [] };
}
