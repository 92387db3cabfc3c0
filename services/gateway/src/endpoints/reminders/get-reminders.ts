import { publicReminder } from '@parley/shared/wire';
import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { reminderSchema } from '../../wire/reminder';

export const getReminders = endpoint({
  method: 'GET',
  path: '/reminders',
  summary: "Get the caller's reminders that are to come",
  auth: 'user',
  parameters: {},
  result: z.strictObject({ reminders: z.array(reminderSchema).describe('By time.') }),
  errors: [],
  async handler({ services }, { call }) {
    const { reminders } = await services.scheduler.listReminders(call, {});
    return { reminders: reminders.map(publicReminder) };
  },
});
