import type { Transaction } from '@parley/shared/db';
import { type DomainEvent, topicPolicyChanged } from '@parley/shared/events';
import { UNMUTED } from '../topic-policies/automatic-policy';
import { deletePolicies, holdPolicyPairs, storePolicies, type TopicAt } from './move-topic-policies.sql';

export interface TopicMove {
  realmId: number;
  from: TopicAt;
  to: TopicAt;
  /** The destination had messages: what users have decided about it counts, too. */
  isMerge: boolean;
  /** Who may read the destination; null: whoever could read the source. */
  readerIds: ReadonlySet<number> | null;
  nowMs: number;
}

/** When all of a topic moves, what users have decided about it goes along; answers what is to be announced. */
export async function moveTopicPolicies(tx: Transaction, move: TopicMove): Promise<DomainEvent[]> {
  const { realmId, from, to, isMerge, readerIds, nowMs } = move;
  const pairs = await holdPolicyPairs(tx, realmId, from, to);
  if (pairs.length === 0) return [];
  await deletePolicies(tx, realmId, from);
  const kept = pairs
    .filter(({ userId }) => readerIds === null || readerIds.has(userId))
    .map((pair) => ({ userId: pair.userId, before: pair.to, policy: isMerge ? mergedPolicy(pair) : pair.from }));
  await storePolicies(tx, realmId, to, kept, nowMs);
  const keptById = new Map(kept.map((entry) => [entry.userId, entry]));
  return pairs.flatMap(({ userId }) => {
    const changed = (topic: TopicAt, policy: number) =>
      topicPolicyChanged(realmId, { userId, topicPolicy: { ...topic, policy, updatedAtMs: nowMs } });
    const entry = keptById.get(userId);
    const isChanged = entry !== undefined && entry.policy !== entry.before;
    return [changed(from, 0), ...(isChanged ? [changed(to, entry.policy)] : [])];
  });
}

/** What two decisions about topics that became one come to. */
export function mergedPolicy({ from, to }: { from: number; to: number }): number {
  if (from === to) return from;
  return from === UNMUTED || to === UNMUTED ? UNMUTED : 0;
}
