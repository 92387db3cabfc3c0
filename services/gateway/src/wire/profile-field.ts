import { z } from 'zod';

export const profileFieldSchema = z.strictObject({
  id: z.int(),
  type: z.int(),
  order: z.int(),
  name: z.string(),
  hint: z.string(),
  field_data: z.string().describe('JSON; empty when the type needs none.'),
  required: z.boolean(),
  editable_by_user: z.boolean(),
  use_for_user_matching: z.boolean(),
  display_in_profile_summary: z.literal(true).optional(),
});
