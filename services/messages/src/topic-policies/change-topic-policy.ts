import type { Transaction } from '@parley/shared/db';
import { type DomainEvent, topicPolicyChanged } from '@parley/shared/events';
import type { TopicPolicy } from '@parley/shared/proto';
import type { Reader } from '../messages/permissions';
import { MUTED } from './automatic-policy';
import { lockTopicPolicy, storeTopicPolicy, type TopicPolicyRow } from './topic-policies.sql';

export interface TopicOfReader {
  reader: Reader;
  channelId: number;
  topic: string;
}

/** Gives the reader's topic the policy that `next` makes of the present one; answers what is to be announced. */
export async function changeTopicPolicy(
  tx: Transaction,
  { reader, channelId, topic }: TopicOfReader,
  next: (policy: number) => number,
  nowMs: number,
): Promise<DomainEvent[]> {
  const { userId, realm } = reader;
  const of = { realmId: realm.id, userId, channelId, topic };
  const { policy: before, isShown } = await lockTopicPolicy(tx, of);
  const policy = next(before);
  if (policy === before) return [];
  await storeTopicPolicy(tx, of, policy, nowMs);
  // Nobody is told of the end of what is hidden from them.
  if (policy === 0 && !isShown) return [];
  const topicPolicy = presentTopicPolicy({ channelId, topic, policy, updatedAtMs: nowMs }, reader);
  const changesMuted = before === MUTED || policy === MUTED;
  return [topicPolicyChanged(realm.id, { userId, topicPolicy, ...(changesMuted && { changesMuted }) })];
}

/** As clients have them: none that is hidden. */
export function presentTopicPolicies(policies: readonly TopicPolicyRow[], reader: Reader): TopicPolicy[] {
  return policies.filter(({ isShown }) => isShown).map((policy) => presentTopicPolicy(policy, reader));
}

/** Whether access has changed, and what is shown has not followed yet. */
export function arePoliciesBehind(policies: readonly TopicPolicyRow[], reader: Reader): boolean {
  return policies.some(({ channelId, isShown }) => isShown !== mayBeShown(channelId, reader));
}

/**
 * What was decided about topics of a channel stays, and is shown while the reader may read it. Those of archived channels stay: no event tells
 * that they go, and they hold again when the channel is in use again.
 */
export function mayBeShown(channelId: number, { channels }: Reader): boolean {
  return channels.get(channelId)?.hasContentAccess === true;
}

/** As it is told. */
export function presentTopicPolicy(policy: Omit<TopicPolicyRow, 'isShown'>, { channels }: Reader): TopicPolicy {
  const { channelId, topic, policy: value, updatedAtMs } = policy;
  return { channelId, topic, policy: value, updatedAtMs, channelName: channels.get(channelId)?.name ?? '' };
}
