import type { Presence, UserStatus } from '@parley/shared/proto';
import { publicLegacyPresence, publicPresence } from '@parley/shared/wire';
import { z } from 'zod';

const presenceSchema = z.strictObject({ active_timestamp: z.int(), idle_timestamp: z.int() });

const legacyPresenceSchema = z.strictObject({
  client: z.string(),
  status: z.enum(['active', 'idle']),
  timestamp: z.int(),
  pushable: z.boolean(),
});

export const legacyPresencesSchema = z
  .record(z.string(), z.strictObject({ aggregated: legacyPresenceSchema, website: legacyPresenceSchema }))
  .describe('By API e-mail address.');

export const presencesSchema = z
  .union([z.record(z.string(), presenceSchema), legacyPresencesSchema])
  .describe('By user id or, as older clients want it, by API e-mail address.');

/** A member of such an object, in JSON; `isSlim`: by id. Otherwise the address was requested. */
export function presenceMember(presence: Presence, isSlim: boolean): string {
  if (isSlim) return `"${presence.userId}":${JSON.stringify(publicPresence(presence))}`;
  const { client, status, timestamp, pushable } = publicLegacyPresence(presence);
  const shown = JSON.stringify({ client, status, timestamp, pushable });
  return `${JSON.stringify(presence.email)}:{"aggregated":${shown},"website":${shown}}`;
}

export const userStatusSchema = z.strictObject({
  status_text: z.string().optional(),
  emoji_name: z.string().optional(),
  emoji_code: z.string().optional(),
  reaction_type: z.string().optional(),
  away: z.boolean().optional().describe('Deprecated.'),
});

/** A status with its set fields only; in GET /users/{user_id}/status and POST /register. */
export function publicUserStatus({ statusText, emoji, isAway }: UserStatus): z.infer<typeof userStatusSchema> {
  return {
    ...(statusText !== '' && { status_text: statusText }),
    ...(emoji && { emoji_name: emoji.name, emoji_code: emoji.code, reaction_type: emoji.reactionType }),
    ...(isAway && { away: true }),
  };
}
