import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { pathId, text } from '../../http/parameters';

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
