import type { UserStatus } from '@parley/shared/proto';
import { z } from 'zod';

export const userStatusSchema = z.strictObject({
  status_text: z.string().optional(),
  emoji_name: z.string().optional(),
  emoji_code: z.string().optional(),
  reaction_type: z.string().optional(),
  away: z.boolean().optional().describe('Deprecated.'),
});

/** A status with what was set alone; in GET /users/{user_id}/status and POST /register. */
export function publicUserStatus({ statusText, emoji, isAway }: UserStatus): z.infer<typeof userStatusSchema> {
  return {
    ...(statusText !== '' && { status_text: statusText }),
    ...(emoji && { emoji_name: emoji.name, emoji_code: emoji.code, reaction_type: emoji.reactionType }),
    ...(isAway && { away: true }),
  };
}
