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
  /** Whether somebody may read the source; else their decision is hidden from them, and nothing is told of its end. */
  couldRead(userId: number): boolean;
  nowMs: number;
}

/** When all of a topic moves, what users have decided about it goes along; answers what is to be announced. */
export async function moveTopicPolicies(tx: Transaction, move: TopicMove): Promise<DomainEvent[]> {
  const { realmId, from, to, policies, isMerge, nowMs } = move;
  const concerned = policies.filter((pair) => pair.from !== 0 || isMerge);
  if (concerned.length === 0) return [];
  const kept = concerned
    .filter(({ userId }) => move.mayFollow(userId))
    .map((pair) => ({ ...pair, policy: policyAfterMove(pair, isMerge) }));
  await replacePolicies(tx, realmId, from, to, kept, nowMs);
  const changed = (userId: number, topic: TopicAt, before: number, policy: number) => {
    if (before === policy) return [];
    const changesMuted = before === MUTED || policy === MUTED;
    return [
      topicPolicyChanged(realmId, { userId, topicPolicy: { ...topic, policy, updatedAtMs: nowMs }, changesMuted }),
    ];
  };
  const keptById = new Map(kept.map((entry) => [entry.userId, entry]));
  return concerned.flatMap((pair) => {
    const { policy } = keptById.get(pair.userId) ?? { policy: pair.to };
    const ended = move.couldRead(pair.userId) ? changed(pair.userId, from, pair.from, 0) : [];
    return [...ended, ...changed(pair.userId, to, pair.to, policy)];
  });
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
