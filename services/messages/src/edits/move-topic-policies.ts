import type { Transaction } from '@parley/shared/db';
import { type DomainEvent, topicPolicyChanged } from '@parley/shared/events';
import { MUTED, UNMUTED } from '../topic-policies/automatic-policy';
import type { PolicyPair } from './hold-conversations.sql';
import { replacePolicies, type TopicAt } from './move-topic-policies.sql';

export interface TopicMove {
  realmId: number;
  from: TopicAt;
  to: TopicAt;
  /** Held. */
  policies: readonly PolicyPair[];
  /** The destination had messages: what users have decided about it counts, too. */
  isMerge: boolean;
  /** Whether somebody who could read the source may read the destination. */
  mayFollow(userId: number): boolean;
  nowMs: number;
}

/** When all of a topic moves, what users have decided about it goes along; answers what is to be announced. */
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
  // Clients are told of what they have, and of what is shown to them.
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

/** Whoever follows to another channel may read it; within one, a decision is shown as before. */
function isShownAfter({ isFromShown, isToShown }: PolicyPair, { from, to }: TopicMove): boolean {
  return from.channelId !== to.channelId || isFromShown || isToShown;
}

/** What somebody has decided about the destination when the topic has moved there. */
export function policyAfterMove(pair: Pick<PolicyPair, 'from' | 'to'>, isMerge: boolean): number {
  return isMerge ? mergedPolicy(pair) : pair.from;
}

/** What two decisions about topics that became one come to. */
function mergedPolicy({ from, to }: Pick<PolicyPair, 'from' | 'to'>): number {
  if (from === to) return from;
  return from === UNMUTED || to === UNMUTED ? UNMUTED : 0;
}
