import type { Transaction } from '@parley/shared/db';
import { type DomainEvent, topicPolicyChanged } from '@parley/shared/events';
import type { Reader } from '../messages/permissions';
import { MUTED } from './automatic-policy';
import { mayBeShown, presentTopicPolicy } from './change-topic-policy';
import { markPoliciesShown } from './topic-policies.sql';

/** Hides and shows what the reader has decided about topics of the channels, by which of these they may read; answers what is to be announced. */
export async function showTopicPolicies(
  tx: Transaction,
  reader: Reader,
  channelIds: readonly number[],
): Promise<DomainEvent[]> {
  if (channelIds.length === 0) return [];
  const channels = channelIds.map((channelId) => ({ channelId, isShown: mayBeShown(channelId, reader) }));
  const changed = await markPoliciesShown(tx, reader.realm.id, reader.userId, channels);
  return changed.map((row) => {
    const topicPolicy = presentTopicPolicy(row.isShown ? row : { ...row, policy: 0 }, reader);
    const changesMuted = row.policy === MUTED;
    return topicPolicyChanged(reader.realm.id, {
      userId: reader.userId,
      topicPolicy,
      ...(changesMuted && { changesMuted }),
    });
  });
}
