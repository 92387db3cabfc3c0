import type { Sql } from '@parley/shared/db';
import { topicKey } from '@parley/shared/values';
import type { Reader } from '../access/permissions';
import { MUTED } from '../conversations/automatic-policy';
import { listTopicPoliciesOf } from '../conversations/topic-policies.sql';

/** Whether the reader does not want to hear of a topic: what they decided about it goes before what they decided about the channel. */
export type IsMuted = (channelId: number, topic: string) => boolean;

/** By what the reader has decided about topics and channels. */
export async function loadMutedTopics(sql: Sql, reader: Reader): Promise<IsMuted> {
  const policies = await listTopicPoliciesOf(sql, reader.realm.id, reader.userId);
  const keyOf = (channelId: number, topic: string) => `${channelId} ${topicKey(topic)}`;
  const byTopic = new Map(policies.map(({ channelId, topic, policy }) => [keyOf(channelId, topic), policy]));
  return (channelId, topic) => {
    const policy = byTopic.get(keyOf(channelId, topic));
    return policy === undefined ? reader.channels.get(channelId)?.isMuted === true : policy === MUTED;
  };
}
