import type { TopicPolicy } from '../proto';
import { publicMutedTopic } from '../wire';
import { declareEvent } from './declare-event';

export interface MutedTopicsChanged {
  userId: number;
  /** All of them. */
  mutedTopics: TopicPolicy[];
}

/**
 * What a user has muted among topics is not what it was, by their own decision or because of something else. Public event
 * `muted_topics`, for that user.
 */
export const mutedTopicsChanged = declareEvent<MutedTopicsChanged>()('muted-topics.changed', [
  {
    // COMPAT(level 134): what there was before topics had policies.
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
