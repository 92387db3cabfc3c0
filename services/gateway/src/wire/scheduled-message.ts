import { z } from 'zod';

export const scheduledMessageSchema = z.strictObject({
  scheduled_message_id: z.int(),
  type: z.enum(['stream', 'private']),
  to: z
    .union([z.int(), z.array(z.int())])
    .describe('A channel, or the other participants; oneself when there are none.'),
  topic: z.string().optional().describe('Of a channel message.'),
  content: z.string(),
  rendered_content: z.string(),
  scheduled_delivery_timestamp: z.int(),
  failed: z.boolean().describe('It could not be sent when it was due.'),
});
