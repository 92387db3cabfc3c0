import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { json } from '../../http/parameters';

export const markChannelAsRead = endpoint({
  method: 'POST',
  path: '/mark_stream_as_read',
  summary: 'Mark all messages of a channel as read',
  auth: 'user',
  parameters: { stream_id: json(z.int()) },
  result: z.strictObject({}),
  errors: [],
  async handler({ services }, { call }, values) {
    await services.messages.markChannelAsRead(call, { channelId: values.stream_id });
    return {};
  },
});
