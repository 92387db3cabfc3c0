import type { Sql } from '@parley/shared/db';
import { topicKey } from '@parley/shared/values';
import type { Reader } from '../access/permissions';
import { MUTED } from '../conversations/automatic-policy';
import { listTopicPoliciesOf, type TopicPolicyRow } from '../conversations/topic-policies.sql';

/** Whether the topic is muted for the reader: its own policy takes precedence over the mute of its channel. */
export type IsMuted = (channelId: number, topic: string) => boolean;

/** By what the reader has decided about topics and channels. */
export async function loadMutedTopics(sql: Sql, reader: Reader): Promise<IsMuted> {
  return mutedTopics(reader, await listTopicPoliciesOf(sql, reader.realm.id, reader.userId));
}

/** The same, of the reader's policies. */
export function mutedTopics(reader: Reader, policies: readonly TopicPolicyRow[]): IsMuted {
  const keyOf = (channelId: number, topic: string) => `${channelId} ${topicKey(topic)}`;
  const byTopic = new Map(policies.map(({ channelId, topic, policy }) => [keyOf(channelId, topic), policy]));
  return (channelId, topic) => {
    const policy = byTopic.get(keyOf(channelId, topic));
    return policy === undefined ? reader.channels.get(channelId)?.isMuted === true : policy === MUTED;
  };
}
