import { BadRequestError } from '@parley/shared/errors';
import { LIMITS } from '@parley/shared/values';
import { z } from 'zod';
import { endpoint } from '../http/endpoint';
import { boundedText, json, text } from '../http/parameters';

const POLICIES = [0, 1, 2, 3];

/** Surrounding blanks do not count. */
function topicName() {
  return text(z.string().trim().pipe(boundedText(LIMITS.topicLength)), { alias: 'subject' });
}

export const updateUserTopic = endpoint({
  method: 'POST',
  path: '/user_topics',
  summary: 'Mute, unmute or follow a topic',
  auth: 'user',
  parameters: {
    stream_id: json(z.int().nonnegative()),
    topic: topicName(),
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

const MUTED = 1;
const NONE = 0;

/** COMPAT(level 170): the predecessor of POST /user_topics. */
export const updateMutedTopics = endpoint({
  method: 'PATCH',
  path: '/users/me/subscriptions/muted_topics',
  summary: 'Mute a topic, or no longer (deprecated)',
  auth: 'user',
  parameters: {
    stream_id: json(z.int().nonnegative().optional()),
    stream: text(boundedText(LIMITS.channelNameLength).optional()),
    topic: topicName(),
    op: text(z.enum(['add', 'remove'])),
  },
  result: z.strictObject({}),
  errors: [],
  async handler({ services }, { call }, values) {
    await services.messages.setTopicPolicy(call, {
      ...channelOf(values.stream_id, values.stream),
      topic: values.topic,
      policy: values.op === 'add' ? MUTED : NONE,
    });
    return {};
  },
});

function channelOf(channelId: number | undefined, channelName: string | undefined) {
  if (channelId !== undefined && channelName !== undefined) {
    throw new BadRequestError("Please choose one: 'stream' or 'stream_id'.");
  }
  if (channelId !== undefined) return { channelId };
  if (channelName !== undefined) return { channelName };
  throw new BadRequestError("Please supply 'stream'.");
}
