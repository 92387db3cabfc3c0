import { publicReminder } from '@parley/shared/wire';
import { z } from 'zod';
import { endpoint } from '../http/endpoint';
import { requestKeyOf } from '../http/idempotency-key';
import { json, pathId, text } from '../http/parameters';
import { reminderSchema } from '../wire/unsent';

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

export const createReminder = endpoint({
  method: 'POST',
  path: '/reminders',
  summary: 'Be reminded of a message',
  auth: 'user',
  parameters: {
    message_id: json(z.int().nonnegative()),
    scheduled_delivery_timestamp: json(z.int().nonnegative().describe('When, in seconds.')),
    note: text(z.string().default('').describe('What the reminder says beside the message.')),
  },
  result: z.strictObject({ reminder_id: z.int() }),
  errors: ['IDEMPOTENCY_KEY_REUSED'],
  async handler({ services }, request, { message_id: messageId, scheduled_delivery_timestamp: deliverAt, note }) {
    const { reminderId } = await services.scheduler.createReminder(request.call, {
      messageId,
      note,
      deliverAtMs: deliverAt * 1_000,
      idempotencyKey: requestKeyOf(request),
    });
    return { reminder_id: reminderId };
  },
});

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
