import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { pathId } from '../../http/parameters';

export const deleteReminder = endpoint({
  method: 'DELETE',
  path: '/reminders/{reminder_id}',
  summary: 'Delete a reminder',
  auth: 'user',
  parameters: { reminder_id: pathId() },
  result: z.strictObject({}),
  errors: [],
  async handler({ services }, { call }, { reminder_id: reminderId }) {
    await services.scheduler.deleteReminder(call, { reminderId });
    return {};
  },
});
