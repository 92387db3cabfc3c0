import { z } from 'zod';

export const linkifierSchema = z.strictObject({
  id: z.int(),
  pattern: z.string().describe("In RE2's dialect."),
  url_template: z.string().describe("RFC 6570; its variables are the pattern's named groups."),
  example_input: z.string().nullable(),
  reverse_template: z.string().nullable(),
  alternative_url_templates: z.array(z.string()),
});
