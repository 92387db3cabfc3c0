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
  const before = await lockTopicPolicy(tx, of);
  const policy = next(before);
  if (policy === before) return [];
  await storeTopicPolicy(tx, of, policy, nowMs);
  const topicPolicy = presentTopicPolicy({ channelId, topic, policy, updatedAtMs: nowMs }, reader);
  const changesMuted = before === MUTED || policy === MUTED;
  return [topicPolicyChanged(realm.id, { userId, topicPolicy, ...(changesMuted && { changesMuted }) })];
}

/**
 * As the reader gets them: none of channels that are closed to them. Those of archived channels stay: no event tells that they go, and
 * they hold again when the channel is in use again.
 */
export function presentTopicPolicies(policies: readonly TopicPolicyRow[], reader: Reader): TopicPolicy[] {
  return policies.filter((policy) => isShown(policy, reader)).map((policy) => presentTopicPolicy(policy, reader));
}

/** What was decided about a topic stays, and is shown again to whoever may read the channel again. */
export function isShown({ channelId }: TopicPolicyRow, { channels }: Reader): boolean {
  return channels.get(channelId)?.hasContentAccess === true;
}

function presentTopicPolicy(policy: TopicPolicyRow, { channels }: Reader): TopicPolicy {
  return { ...policy, channelName: channels.get(policy.channelId)?.name ?? '' };
}
