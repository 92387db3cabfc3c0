import { z } from 'zod';
import { endpoint } from '../../http/endpoint';

export const markAllAsRead = endpoint({
  method: 'POST',
  path: '/mark_all_as_read',
  summary: 'Mark all messages as read',
  auth: 'user',
  parameters: {},
  result: z.strictObject({ complete: z.boolean().describe('Always true: however much there is, it is done at once.') }),
  errors: [],
  async handler({ services }, { call }) {
    await services.messages.markAllAsRead(call, {});
    return { complete: true };
  },
});
