import { z } from 'zod';

export const defaultChannelGroupSchema = z.strictObject({
  id: z.int(),
  name: z.string(),
  description: z.string(),
  streams: z.array(z.int()),
});
