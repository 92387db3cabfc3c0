import { announce } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import { BadRequestError, UserDeactivatedError } from '@parley/shared/errors';
import type { Channel, SubscribeRequest, SubscribeResponse, User, UserChannels } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { isGuest } from '@parley/shared/values';
import { CHANNEL_NAME_IS_UNIQUE, insertChannels, lockChannels, type NewChannel } from '../channels/channels.sql';
import { newChannelKind } from '../channels/new-channel-kind';
import { maySubscribe } from '../channels/permissions';
import { renderDescription } from '../channels/render-description';
import type { Context } from '../context';
import { nameKey } from '../name-key';
import { isUniqueViolation } from '../unique-violation';
import { findUser } from '../users/users.sql';
import { beginSubscriptions } from './begin-subscriptions';
import { findPrincipals } from './find-principals';
import { type Join, joinsFromInput } from './joins';
import { planSubscriptions, type SubscriptionHistory, type Target } from './plan-subscriptions';
import { listSubscriptions, listUsedColors } from './subscriptions.sql';

const MAX_ATTEMPTS = 3;
const MAX_PAIRS = 100_000;

/** Subscribes the caller or others to channels, and makes the channels that do not exist. All of it happens, or nothing. */
export async function subscribe(ctx: Context, caller: Caller, request: SubscribeRequest): Promise<SubscribeResponse> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await ctx.db.transaction((tx) => subscribeIn(tx, ctx.clock.now(), caller, request));
    } catch (error) {
      // Somebody made a channel of that name in this moment: now it exists, and is joined under its own rules.
      if (attempt === MAX_ATTEMPTS || !isUniqueViolation(error, CHANNEL_NAME_IS_UNIQUE)) throw error;
    }
  }
}

async function subscribeIn(
  tx: Transaction,
  nowMs: number,
  caller: Caller,
  request: SubscribeRequest,
): Promise<SubscribeResponse> {
  const actor = await findActor(tx, caller);
  const joins = joinsFromInput(request.channels);
  const existing = await holdChannels(tx, actor, joins);
  const { joinable, missing, refused } = sortOut(joins, existing, actor);
  const kind = missing.length === 0 ? null : newChannelKind(request.newChannel, actor, nowMs);
  if (request.areAuthorizationErrorsFatal) refuseFirst(refused);
  const users = await findPrincipals(tx, actor, request);
  const userIds = users.map(({ id }) => id);
  refuseTooMany(joins.length * userIds.length);
  const history = await loadHistory(tx, actor.realmId, joinable, userIds);

  const made = kind === null ? [] : await insertChannels(tx, actor.realmId, missing.map(toNewChannel), kind);
  const plan = planSubscriptions(targetsOf(joins, [...joinable, ...made]), userIds, history);
  const events = await beginSubscriptions(tx, actor.realmId, plan.joining);
  await announce(tx, ...events);
  return {
    subscribed: toUserChannels(plan.subscribed),
    alreadySubscribed: toUserChannels(plan.alreadySubscribed),
    unauthorized: refused.map(({ name }) => name),
  };
}

async function findActor(tx: Transaction, { realmId, userId }: Caller): Promise<User> {
  const actor = await findUser(tx, realmId, userId);
  if (!actor?.isActive) throw new UserDeactivatedError();
  if (isGuest(actor.role)) throw new BadRequestError('Not allowed for guest users');
  return actor;
}

interface HeldChannel extends Channel {
  /** Whether the caller is. */
  isSubscribed: boolean;
}

async function holdChannels(tx: Transaction, actor: User, joins: readonly Join[]): Promise<HeldChannel[]> {
  const keys = joins.map((join) => join.nameKey);
  const channels = await lockChannels(tx, actor.realmId, keys);
  // NOTE: asked in a statement of its own: the one that waited for the rows sees the subscriptions as they were before.
  const ids = channels.map(({ id }) => id);
  const records = await listSubscriptions(tx, actor.realmId, ids, [actor.id]);
  const subscribedIds = new Set(records.filter(({ isActive }) => isActive).map(({ channelId }) => channelId));
  return channels.map((channel) => ({ ...channel, isSubscribed: subscribedIds.has(channel.id) }));
}

function sortOut(joins: readonly Join[], existing: readonly HeldChannel[], actor: User) {
  const byKey = new Map(existing.map((channel) => [nameKey(channel.name), channel]));
  const joinable: HeldChannel[] = [];
  const missing: Join[] = [];
  const refused: Join[] = [];
  for (const join of joins) {
    const channel = byKey.get(join.nameKey);
    if (!channel) missing.push(join);
    else if (maySubscribe(channel, { role: actor.role, isSubscribed: channel.isSubscribed })) joinable.push(channel);
    else refused.push(join);
  }
  return { joinable, missing, refused };
}

function refuseFirst([first]: readonly Join[]): void {
  if (first) throw new BadRequestError(`Unable to access channel (${first.name}).`);
}

function refuseTooMany(pairCount: number): void {
  if (pairCount > MAX_PAIRS) throw new BadRequestError(`Too many subscriptions (limit: ${MAX_PAIRS})`);
}

async function loadHistory(
  tx: Transaction,
  realmId: number,
  channels: readonly HeldChannel[],
  userIds: readonly number[],
): Promise<SubscriptionHistory> {
  const channelIds = channels.map(({ id }) => id);
  const records = await listSubscriptions(tx, realmId, channelIds, userIds);
  return { records, usedColors: await listUsedColors(tx, realmId, userIds) };
}

function toNewChannel({ name, nameKey, description }: Join): NewChannel {
  return { name, nameKey, description, renderedDescription: renderDescription(description) };
}

/** In the order of the request. */
function targetsOf(joins: readonly Join[], channels: readonly { id: number; name: string }[]): Target[] {
  const byKey = new Map(channels.map((channel) => [nameKey(channel.name), channel]));
  return joins.flatMap((join) => {
    const channel = byKey.get(join.nameKey);
    return channel ? [{ channelId: channel.id, name: channel.name, color: join.color }] : [];
  });
}

function toUserChannels(namesByUser: ReadonlyMap<number, string[]>): UserChannels[] {
  return [...namesByUser].map(([userId, channelNames]) => ({ userId, channelNames }));
}
