import { z } from 'zod';

export const channelFolderSchema = z.strictObject({
  id: z.int(),
  name: z.string(),
  description: z.string(),
  rendered_description: z.string(),
  order: z.int().describe('Folders with lower numbers come first.'),
  date_created: z.int().nullable(),
  creator_id: z.int().nullable(),
  is_archived: z.boolean(),
});
