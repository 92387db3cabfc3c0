import { z } from 'zod';

export const playgroundSchema = z.strictObject({
  id: z.int(),
  name: z.string(),
  pygments_language: z.string(),
  url_template: z.string().describe('RFC 6570; its one variable is `code`.'),
});
