import { z } from 'zod';

export const customEmojiSchema = z
  .record(
    z.string(),
    z.strictObject({
      id: z.string(),
      name: z.string(),
      source_url: z.string(),
      still_url: z.string().nullable().describe('Null when the image does not move.'),
      deactivated: z.boolean(),
      author_id: z.int().nullable(),
    }),
  )
  .describe('By id.');
