import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { pathId } from '../../http/parameters';

export const deleteScheduledMessage = endpoint({
  method: 'DELETE',
  path: '/scheduled_messages/{scheduled_message_id}',
  summary: 'Delete a scheduled message, which is not sent',
  auth: 'user',
  parameters: { scheduled_message_id: pathId() },
  result: z.strictObject({}),
  errors: [],
  async handler({ services }, { call }, { scheduled_message_id: scheduledMessageId }) {
    await services.scheduler.deleteScheduledMessage(call, { scheduledMessageId });
    return {};
  },
});
