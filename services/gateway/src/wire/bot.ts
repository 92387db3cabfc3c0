import type { Bot, User } from '@parley/shared/proto';
import { avatarUrl } from '@parley/shared/wire';
import { z } from 'zod';

const defaults = {
  default_sending_stream: z.string().nullable().describe('Name of a channel.'),
  default_events_register_stream: z.string().nullable().describe('Name of a channel.'),
  default_all_public_streams: z.boolean(),
};

/** Where a bot speaks and listens unless it says otherwise. */
export const botDefaultsSchema = z.strictObject(defaults);

/** A bot as those see it who manage it, in the state of POST /register. */
export const botSchema = z.strictObject({
  user_id: z.int(),
  full_name: z.string(),
  email: z.string(),
  bot_type: z.int().nullable(),
  is_active: z.boolean(),
  owner_id: z.int().nullable(),
  avatar_url: z.string(),
  ...defaults,
  services: z
    .array(z.strictObject({ base_url: z.string(), interface: z.int(), token: z.string() }))
    .describe('One, of outgoing webhook bots; else none.'),
});

/** Never null: whoever manages a bot sees its picture. */
export function botAvatarUrl({ user }: Bot): string {
  return avatarUrl(user as User, false) as string;
}
