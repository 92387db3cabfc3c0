import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { json, text } from '../../http/parameters';

export const markTopicAsRead = endpoint({
  method: 'POST',
  path: '/mark_topic_as_read',
  summary: 'Mark all messages of a topic as read',
  auth: 'user',
  parameters: { stream_id: json(z.int()), topic_name: text(z.string()) },
  result: z.strictObject({}),
  errors: [],
  async handler({ services }, { call }, { stream_id: channelId, topic_name: topic }) {
    await services.messages.markTopicAsRead(call, { channelId, topic });
    return {};
  },
});
