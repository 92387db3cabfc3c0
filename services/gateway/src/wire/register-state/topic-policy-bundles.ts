import type { TopicPolicies } from '@parley/shared/proto';
import { publicMutedTopic, publicTopicPolicy } from '@parley/shared/wire';
import { z } from 'zod';

const MUTED = 1;

/** Fields of POST /register; a client gets those it asked for. */
export const topicPolicyFields = {
  user_topics: z.array(
    z.strictObject({
      stream_id: z.int(),
      topic_name: z.string(),
      last_updated: z.int(),
      visibility_policy: z.int().describe('1: muted, 2: unmuted, 3: followed.'),
    }),
  ),
  muted_topics: z
    .array(z.tuple([z.string(), z.string(), z.int()]))
    .describe('Deprecated: channel, topic and time; only for clients that do not ask for `user_topic`.'),
};

/** Whether a client wants to know what its user has decided about topics. */
export function wantsTopicPolicies(isWanted: (type: string) => boolean): boolean {
  return isWanted('user_topic') || isWanted('muted_topics');
}

export function publicTopicPolicies(
  { topicPolicies }: TopicPolicies,
  wanted: readonly string[] | undefined,
  isEmptyTopicUnderstood: boolean,
) {
  const isAnyWanted = wanted === undefined;
  const wantsPolicies = isAnyWanted || wanted.includes('user_topic');
  const muted = topicPolicies.filter(({ policy }) => policy === MUTED);
  return {
    ...(wantsPolicies && {
      user_topics: topicPolicies.map((policy) => publicTopicPolicy(policy, isEmptyTopicUnderstood)),
    }),
    ...((isAnyWanted || !wantsPolicies) && {
      muted_topics: muted.map((policy) => publicMutedTopic(policy, isEmptyTopicUnderstood)),
    }),
  };
}
