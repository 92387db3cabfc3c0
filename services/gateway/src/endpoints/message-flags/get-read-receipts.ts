import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { pathId } from '../../http/parameters';

export const getReadReceipts = endpoint({
  method: 'GET',
  path: '/messages/{message_id}/read_receipts',
  summary: 'Get who has read a message',
  auth: 'user',
  parameters: { message_id: pathId() },
  result: z.strictObject({ user_ids: z.array(z.int()).describe('In no order, without the sender.') }),
  errors: [],
  async handler({ services }, { call }, values) {
    const { userIds } = await services.messages.getReadReceipts(call, { messageId: values.message_id });
    return { user_ids: userIds };
  },
});
