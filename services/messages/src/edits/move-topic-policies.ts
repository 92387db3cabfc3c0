import type { Transaction } from '@parley/shared/db';
import { type DomainEvent, topicPolicyChanged } from '@parley/shared/events';
import type { Channel } from '@parley/shared/proto';
import { type Caller, newCall } from '@parley/shared/rpc';
import { topicKey } from '@parley/shared/values';
import { loadChannelReaders } from '../access/load-reader';
import type { Context } from '../context';
import { MUTED, UNMUTED } from '../conversations/automatic-policy';
import type { PolicyPair } from '../conversations/lock-conversations.sql';
import { guestsLeftBehind } from '../messages/edit-audiences';
import type { LoadedEditFacts } from '../messages/edit-facts';
import type { MessageRow } from '../messages/message.sql';
import { listPolicyHolders, replacePolicies, type TopicAt } from './move-topic-policies.sql';
import type { EditPlan } from './plan-edit';

interface TopicMove {
  realmId: number;
  from: TopicAt;
  to: TopicAt;
  /** Locked. */
  policies: readonly PolicyPair[];
  /** The destination had messages: users' policies for it are merged. */
  isMerge: boolean;
  /** Whether a user who could read the source may read the destination. */
  mayFollow(userId: number): boolean;
  nowMs: number;
}

/** Moves users' topic policies when a whole topic moves; returns the events to announce. */
export async function moveTopicPolicies(tx: Transaction, move: TopicMove): Promise<DomainEvent[]> {
  const { realmId, from, to, policies, isMerge, nowMs } = move;
  const concerned = policies.filter((pair) => pair.from !== 0 || isMerge);
  if (concerned.length === 0) return [];
  const kept = concerned
    .filter(({ userId }) => move.mayFollow(userId))
    .map((pair) => ({ ...pair, policy: policyAfterMove(pair, isMerge), isShown: isShownAfter(pair, move) }));
  await replacePolicies(tx, realmId, from, to, kept, nowMs);
  const changed = (userId: number, topic: TopicAt, before: number, policy: number) => {
    if (before === policy) return [];
    const changesMuted = before === MUTED || policy === MUTED;
    return [
      topicPolicyChanged(realmId, { userId, topicPolicy: { ...topic, policy, updatedAtMs: nowMs }, changesMuted }),
    ];
  };
  const keptById = new Map(kept.map((entry) => [entry.userId, entry]));
  // Clients get events for policies that they know, and for those that become visible to them.
  return concerned.flatMap((pair) => {
    const before = pair.isToShown ? pair.to : 0;
    const after = keptById.get(pair.userId);
    const shown = after?.isShown ? after.policy : 0;
    return [
      ...changed(pair.userId, from, pair.isFromShown ? pair.from : 0, 0),
      ...changed(pair.userId, to, before, after ? shown : before),
    ];
  });
}

/** A policy moved to another channel is shown if its user may read that channel; within a channel this is unchanged. */
function isShownAfter({ isFromShown, isToShown }: PolicyPair, { from, to }: TopicMove): boolean {
  return from.channelId !== to.channelId || isFromShown || isToShown;
}

/** A user's policy for the destination after the move. */
export function policyAfterMove(pair: Pick<PolicyPair, 'from' | 'to'>, isMerge: boolean): number {
  return isMerge ? mergedPolicy(pair) : pair.from;
}

/** The policy after two topics are merged. */
function mergedPolicy({ from, to }: Pick<PolicyPair, 'from' | 'to'>): number {
  if (from === to) return from;
  return from === UNMUTED || to === UNMUTED ? UNMUTED : 0;
}

/** Whether a user who could read the moved messages may read them at their destination. */
type MayFollow = (userId: number) => boolean;

/**
 * Only moves into or within private channels need the list of users: others must not keep a policy,
 * and must not learn the new name of a topic for which they have one.
 */
export async function followersOf(
  ctx: Context,
  caller: Caller,
  message: MessageRow,
  plan: EditPlan,
  { channels }: LoadedEditFacts,
): Promise<MayFollow> {
  const source = message.channelId === null ? undefined : channels.get(message.channelId);
  const target = plan.channelId === undefined ? source?.channel : channels.get(plan.channelId)?.channel;
  if (!target || !source || (plan.channelId === undefined && plan.topic === undefined)) return () => true;
  if (target.isPrivate) return readersIn(ctx, caller, target, plan.channelId === undefined ? message.topic : null);
  if (plan.channelId === undefined) return () => true;
  const guestIds = new Set(guestsLeftBehind(source, target, caller.userId));
  return (userId) => !guestIds.has(userId);
}

/** Subscribers, and other users with a policy who may read the channel. */
async function readersIn(
  ctx: Context,
  { realmId, userId: actorId }: Caller,
  { id: channelId }: Channel,
  topic: string | null,
): Promise<MayFollow> {
  const holderIds = topic === null ? [] : await listPolicyHolders(ctx.db, realmId, channelId, topicKey(topic));
  // Without policies there is no call of realm.
  if (topic !== null && holderIds.length === 0) return () => true;
  const { subscribers } = await ctx.services.realm.getSubscribers(
    { ...newCall(), realmId, userId: actorId },
    { realmId, channelId },
  );
  const current = subscribers.filter(({ intervals }) => intervals.some(({ toVersion }) => toVersion === undefined));
  const readerIds = new Set([actorId, ...current.map(({ userId }) => userId)]);
  const others = holderIds.filter((id) => !readerIds.has(id)).map((userId) => ({ userId, channelIds: [channelId] }));
  for (const { userId, channels } of others.length > 0 ? await loadChannelReaders(ctx, realmId, others) : []) {
    if (channels.get(channelId)?.hasContentAccess) readerIds.add(userId);
  }
  return (userId) => readerIds.has(userId);
}
