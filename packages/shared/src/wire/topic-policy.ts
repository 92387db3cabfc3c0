import type { TopicPolicy } from '../proto';
import { displayTopic, toSeconds } from '../values';

/** What a user has decided about a topic, in the public dialect; called for POST /register and events. */
export function publicTopicPolicy(
  { channelId, topic, policy, updatedAtMs }: Omit<TopicPolicy, 'channelName'>,
  isEmptyTopicUnderstood: boolean,
) {
  return {
    stream_id: channelId,
    topic_name: displayTopic(topic, isEmptyTopicUnderstood),
    last_updated: toSeconds(updatedAtMs),
    visibility_policy: policy,
  };
}

/** A muted topic as clients knew it before there were policies. */
export function publicMutedTopic(
  { channelName, topic, updatedAtMs }: TopicPolicy,
  isEmptyTopicUnderstood: boolean,
): [string, string, number] {
  return [channelName, displayTopic(topic, isEmptyTopicUnderstood), toSeconds(updatedAtMs)];
}
