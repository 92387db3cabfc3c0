import { z } from 'zod';

/** A file as its owner sees it. */
export const attachmentSchema = z.strictObject({
  id: z.int(),
  name: z.string(),
  path_id: z.string(),
  size: z.int(),
  create_time: z.int(),
  messages: z.array(z.strictObject({ id: z.int(), date_sent: z.int() })),
  message_ids: z.array(z.int()),
});
