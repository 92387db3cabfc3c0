import { displayTopic } from '@parley/shared/values';
import { z } from 'zod';
import { endpoint } from '../http/endpoint';
import { json, pathId, text } from '../http/parameters';

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

export const deleteTopic = endpoint({
  method: 'POST',
  path: '/streams/{stream_id}/delete_topic',
  summary: 'Delete the messages of a topic',
  auth: 'user',
  parameters: { stream_id: pathId(), topic_name: text(z.string()) },
  result: z.strictObject({
    complete: z.boolean().describe('False: time ran out; the request is to be repeated.'),
  }),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  async handler({ services }, { call }, { stream_id: channelId, topic_name: topic }) {
    const { isComplete } = await services.messages.deleteTopic(call, { channelId, topic });
    return { complete: isComplete };
  },
});
