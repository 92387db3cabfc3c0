import type { TopicPolicy } from '../proto';
import { publicTopicPolicy } from '../wire';
import { declareEvent } from './declare-event';

export interface TopicPolicyChanged {
  userId: number;
  topicPolicy: Omit<TopicPolicy, 'channelName'>;
  /** Whether the topic is muted now and was not, or the other way round. */
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
