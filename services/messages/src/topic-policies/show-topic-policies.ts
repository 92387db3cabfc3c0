import { announce, type ConsumedEvent } from '@parley/shared/bus';
import {
  type ChannelAccessChanged,
  type ChannelAppeared,
  type ChannelVanished,
  causedBy,
  type EventCause,
  type SubscriptionChanged,
  topicPolicyChanged,
} from '@parley/shared/events';
import type { ChannelReadFacts } from '@parley/shared/proto';
import { newCall } from '@parley/shared/rpc';
import type { Context } from '../context';
import { loadReader } from '../messages/load-reader';
import type { Reader } from '../messages/permissions';
import { MUTED } from './automatic-policy';
import { isShown } from './change-topic-policy';
import { listTopicPoliciesIn, type TopicPolicyRow } from './topic-policies.sql';

/*
 * What users have decided about topics is hidden and shown with access to their channel, and clients are told. What is told follows from
 * the access of now, so a late or repeated event does no harm.
 */

type Access = Pick<ChannelReadFacts, 'isPublic' | 'hasContentAccess' | 'isSubscribed' | 'isHidden'>;

/** A channel that the user neither knows of nor was in. */
const UNKNOWN: Access = {
  isPublic: false,
  hasContentAccess: false,
  isSubscribed: false,
  isHidden: true,
};

interface Concerned {
  realmId: number;
  /** The change of access. */
  cause: EventCause | undefined;
  userIds: readonly number[];
  channelIds: readonly number[];
  /** Whether this event is the one to tell of it. */
  isTold(channel: Access): boolean;
}

/** Of whoever joins or leaves a private channel; who does not know of it any more is told by hideTopicPolicies(). */
export async function showTopicPoliciesOfSubscribers(
  ctx: Context,
  events: readonly ConsumedEvent<SubscriptionChanged>[],
): Promise<void> {
  for (const { realmId, cause, payload } of events) {
    const { channelId, subscribedIds, unsubscribedIds } = payload;
    const userIds = [...subscribedIds, ...unsubscribedIds];
    const isTold: Concerned['isTold'] = ({ isPublic, hasContentAccess, isSubscribed, isHidden }) =>
      !isPublic && (hasContentAccess ? isSubscribed : !isHidden);
    await tellOfTopicPolicies(ctx, { realmId, cause, userIds, channelIds: [channelId], isTold });
  }
}

export async function hideTopicPolicies(
  ctx: Context,
  events: readonly ConsumedEvent<ChannelVanished>[],
): Promise<void> {
  for (const { realmId, cause, payload } of events) {
    const { channelId, others = [], userIds } = payload;
    const channelIds = [channelId, ...others.map((other) => other.channelId)];
    const isTold: Concerned['isTold'] = ({ hasContentAccess }) => !hasContentAccess;
    await tellOfTopicPolicies(ctx, { realmId, cause, userIds, channelIds, isTold });
  }
}

export async function showTopicPolicies(
  ctx: Context,
  events: readonly ConsumedEvent<ChannelAppeared>[],
): Promise<void> {
  for (const { realmId, cause, payload } of events) {
    const { channel, others = [], audience } = payload;
    if (audience.to !== 'users') continue;
    const channelIds = [channel, ...others].map(({ id }) => id);
    const isTold: Concerned['isTold'] = ({ isPublic, hasContentAccess, isSubscribed }) =>
      hasContentAccess && (isPublic || !isSubscribed);
    await tellOfTopicPolicies(ctx, { realmId, cause, userIds: audience.userIds, channelIds, isTold });
  }
}

export async function showTopicPoliciesByAccess(
  ctx: Context,
  events: readonly ConsumedEvent<ChannelAccessChanged>[],
): Promise<void> {
  for (const { realmId, cause, payload } of events) {
    const { channelId, of, gainedIds, lostIds } = payload;
    if (of !== 'content') continue;
    const userIds = [...gainedIds, ...lostIds];
    await tellOfTopicPolicies(ctx, { realmId, cause, userIds, channelIds: [channelId], isTold: () => true });
  }
}

async function tellOfTopicPolicies(
  ctx: Context,
  { realmId, cause, userIds, channelIds, isTold }: Concerned,
): Promise<void> {
  if (userIds.length === 0) return;
  const decided = await listTopicPoliciesIn(ctx.db, realmId, channelIds, userIds);
  for (const [userId, policies] of decided) {
    const ids = [...new Set(policies.map(({ channelId }) => channelId))];
    const reader = await loadReader(ctx, { ...newCall(), realmId, userId }, { ids });
    const told = policies.filter(({ channelId }) => isTold(reader.channels.get(channelId) ?? UNKNOWN));
    if (told.length > 0)
      await ctx.db.transaction((tx) => announce(tx, ...told.map((policy) => causedBy(cause, asShown(policy, reader)))));
  }
}

function asShown(row: TopicPolicyRow, reader: Reader) {
  const topicPolicy = isShown(row, reader) ? row : { ...row, policy: 0 };
  const changesMuted = row.policy === MUTED;
  return topicPolicyChanged(reader.realm.id, {
    userId: reader.userId,
    topicPolicy,
    ...(changesMuted && { changesMuted }),
  });
}
