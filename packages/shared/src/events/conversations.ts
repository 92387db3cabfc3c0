import type { TopicPolicy } from '../proto';
import { publicMutedTopic, publicTopicPolicy } from '../wire';
import { declareEvent } from './declare-event';

export interface TopicPolicyChanged {
  userId: number;
  topicPolicy: Omit<TopicPolicy, 'channelName'>;
  /** Whether the topic's muted state changed. */
  changesMuted?: boolean;
}

/** A user mutes, unmutes or follows a topic, or no longer does. Public event `user_topic`, for that user. */
export const topicPolicyChanged = declareEvent<TopicPolicyChanged>()('topic-policy.changed', [
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

export interface MutedTopicsChanged {
  userId: number;
  /** All of them. */
  mutedTopics: TopicPolicy[];
}

/** A user's muted topics changed, directly or as a consequence. Public event `muted_topics`, for that user. */
export const mutedTopicsChanged = declareEvent<MutedTopicsChanged>()('muted-topics.changed', [
  {
    // COMPAT(level 134): predecessor of topic policies.
    type: 'muted_topics',
    supersededBy: 'user_topic',
    audience: ({ userId }) => ({ to: 'users', userIds: [userId] }),
    variant: ({ isEmptyTopicUnderstood }) => String(isEmptyTopicUnderstood),
    render: ({ mutedTopics }, { isEmptyTopicUnderstood }) => ({
      type: 'muted_topics',
      muted_topics: mutedTopics.map((topic) => publicMutedTopic(topic, isEmptyTopicUnderstood)),
    }),
  },
]);

export interface DirectConversationBegun {
  /** By id, the author of the first message included. */
  participantIds: number[];
}

/** The first message of a direct conversation was sent: its participants know each other from now on. */
export const directConversationBegun = declareEvent<DirectConversationBegun>()('direct-conversation.begun', []);
