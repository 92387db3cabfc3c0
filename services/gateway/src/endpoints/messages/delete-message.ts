import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { pathId } from '../../http/parameters';

export const deleteMessage = endpoint({
  method: 'DELETE',
  path: '/messages/{message_id}',
  summary: 'Delete a message',
  auth: 'user',
  parameters: { message_id: pathId() },
  result: z.strictObject({}),
  errors: [],
  async handler({ services }, { call }, { message_id: messageId }) {
    await services.messages.deleteMessage(call, { messageId });
    return {};
  },
});
