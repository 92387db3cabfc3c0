import { z } from 'zod';

export const navigationViewSchema = z.strictObject({
  fragment: z.string(),
  is_pinned: z.boolean(),
  name: z.string().nullable().describe('Null for views that clients bring along.'),
});
