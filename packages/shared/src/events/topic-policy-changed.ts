import type { TopicPolicy } from '../proto';
import { publicMutedTopic, publicTopicPolicy } from '../wire';
import { declareEvent } from './declare-event';

export interface TopicPolicyChanged {
  userId: number;
  topicPolicy: Omit<TopicPolicy, 'channelName'>;
  /** All topics that the user has muted, where this has changed them. */
  mutedTopics?: TopicPolicy[];
}

/**
 * A user mutes, unmutes or follows a topic, or no longer does. Public events `muted_topics` and `user_topic`, for that user.
 */
export const topicPolicyChanged = declareEvent<TopicPolicyChanged>()('topic-policy.changed', [
  {
    // COMPAT(level 134): what there was before topics had policies.
    type: 'muted_topics',
    supersededBy: 'user_topic',
    audience: ({ userId }) => ({ to: 'users', userIds: [userId] }),
    isFor: ({ mutedTopics }) => mutedTopics !== undefined,
    variant: ({ isEmptyTopicUnderstood }) => String(isEmptyTopicUnderstood),
    render: ({ mutedTopics = [] }, view) => ({
      type: 'muted_topics',
      muted_topics: mutedTopics.map((topic) => publicMutedTopic(topic, view.isEmptyTopicUnderstood)),
    }),
  },
  {
    type: 'user_topic',
    audience: ({ userId }) => ({ to: 'users', userIds: [userId] }),
    variant: ({ isEmptyTopicUnderstood }) => String(isEmptyTopicUnderstood),
    render: ({ topicPolicy }, { isEmptyTopicUnderstood }) => ({
      type: 'user_topic',
      ...publicTopicPolicy(topicPolicy, isEmptyTopicUnderstood),
    }),
  },
]);
