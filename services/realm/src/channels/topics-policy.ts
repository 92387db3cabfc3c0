import { BadRequestError } from '@parley/shared/errors';

export const INHERITED_TOPICS_POLICY = 'inherit';
export const EMPTY_TOPIC_ONLY = 'empty_topic_only';

const TOPICS_POLICIES = [INHERITED_TOPICS_POLICY, 'allow_empty_topic', 'disable_empty_topic', EMPTY_TOPIC_ONLY];

/** The policy that a sent text means; nothing is `inherit`. */
export function topicsPolicyFromInput(text: string): string {
  const policy = text === '' ? INHERITED_TOPICS_POLICY : text;
  if (!TOPICS_POLICIES.includes(policy)) throw new BadRequestError('Invalid topics_policy');
  return policy;
}

/** Where notices about a channel go within it. */
export function channelEventsTopic({ topicsPolicy }: { topicsPolicy: string }): string {
  return topicsPolicy === EMPTY_TOPIC_ONLY ? '' : 'channel events';
}
