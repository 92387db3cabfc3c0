import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { requestKeyOf } from '../../http/idempotency-key';
import { json, text } from '../../http/parameters';

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
