import { z } from 'zod';

export const savedSnippetSchema = z.strictObject({
  id: z.int(),
  title: z.string(),
  content: z.string(),
  date_created: z.int(),
});
