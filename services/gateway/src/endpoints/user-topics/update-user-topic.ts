import { LIMITS } from '@parley/shared/values';
import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { boundedText, json, text } from '../../http/parameters';

const POLICIES = [0, 1, 2, 3];

export const updateUserTopic = endpoint({
  method: 'POST',
  path: '/user_topics',
  summary: 'Mute, unmute or follow a topic',
  auth: 'user',
  parameters: {
    stream_id: json(z.int().nonnegative()),
    topic: text(boundedText(LIMITS.topicLength)),
    visibility_policy: json(
      z
        .int()
        .refine((policy) => POLICIES.includes(policy), 'Value error, Not in the list of possible values')
        .describe('0: none, 1: muted, 2: unmuted, 3: followed.'),
    ),
  },
  result: z.strictObject({}),
  errors: [],
  async handler({ services }, { call }, values) {
    await services.messages.setTopicPolicy(call, {
      channelId: values.stream_id,
      topic: values.topic,
      policy: values.visibility_policy,
    });
    return {};
  },
});
