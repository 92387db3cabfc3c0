import { displayTopic } from '@parley/shared/values';
import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { json, pathId } from '../../http/parameters';

export const listTopics = endpoint({
  method: 'GET',
  path: '/users/me/{stream_id}/topics',
  summary: 'List the topics of a channel',
  auth: 'user',
  isOpenToVisitors: true,
  parameters: { stream_id: pathId(), allow_empty_topic_name: json(z.boolean().default(false)) },
  result: z.strictObject({
    topics: z
      .array(z.strictObject({ name: z.string(), max_id: z.int() }))
      .describe('The one with the newest message first.'),
  }),
  errors: [],
  async handler({ services }, { call }, values) {
    const { topics } = await services.messages.listTopics(call, { channelId: values.stream_id });
    return {
      topics: topics.map(({ name, maxMessageId }) => ({
        name: displayTopic(name, values.allow_empty_topic_name),
        max_id: maxMessageId,
      })),
    };
  },
});
