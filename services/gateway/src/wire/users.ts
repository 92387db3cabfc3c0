import type { Bot, ProfileValue, User } from '@parley/shared/proto';
import { isEmailVisibleTo } from '@parley/shared/values';
import { avatarUrl, publicUser as sharedPublicUser } from '@parley/shared/wire';
import { z } from 'zod';

/** The user to whom another user is shown. */
interface Viewer {
  userId: number;
  role: number;
}

export const userSchema = z.strictObject({
  user_id: z.int(),
  email: z.string().describe('The API e-mail address.'),
  delivery_email: z.string().nullable().describe('The real e-mail address; null when the caller may not see it.'),
  full_name: z.string(),
  date_joined: z.string(),
  role: z.int(),
  is_owner: z.boolean(),
  is_admin: z.boolean(),
  is_guest: z.boolean(),
  is_bot: z.boolean(),
  is_system_bot: z.boolean().optional(),
  bot_type: z.int().optional(),
  bot_owner_id: z.int().nullable().optional(),
  timezone: z.string(),
  avatar_url: z.string().nullable(),
  avatar_version: z.int(),
  profile_data: z
    .record(z.string(), z.strictObject({ value: z.string(), rendered_value: z.string().optional() }))
    .optional(),
});

/** For places other than the lists of POST /register, which separate active users from others. */
export const userWithActivitySchema = userSchema.extend({ is_active: z.boolean() });

type PublicUser = z.infer<typeof userSchema>;

/** A user as visible to `viewer`, with the profile; in the lists of POST /register. */
export function publicUser(
  user: User,
  viewer: Viewer,
  clientGravatar: boolean,
  profile: readonly ProfileValue[] = [],
): PublicUser {
  const isDeliveryEmailShown = maySeeDeliveryEmail(user, viewer);
  return sharedPublicUser(user, { isDeliveryEmailShown, clientGravatar, isActivityShown: false }, profile);
}

/** The same elsewhere; `profile` null: without profile values. */
export function publicUserWithActivity(
  user: User,
  viewer: Viewer,
  clientGravatar: boolean,
  profile: readonly ProfileValue[] | null,
): z.infer<typeof userWithActivitySchema> {
  const isDeliveryEmailShown = maySeeDeliveryEmail(user, viewer);
  const view = { isDeliveryEmailShown, clientGravatar, isActivityShown: false };
  return { ...sharedPublicUser(user, view, profile), is_active: user.isActive };
}

export function maySeeDeliveryEmail(user: Pick<User, 'id' | 'emailAddressVisibility'>, viewer: Viewer): boolean {
  return user.id === viewer.userId || isEmailVisibleTo(viewer.role, user.emailAddressVisibility);
}

export const ownUserSchema = userSchema.extend({
  delivery_email: z.string(),
  avatar_url: z.string(),
  is_billing_admin: z.boolean(),
  is_active: z.boolean(),
  max_message_id: z.int().describe('Deprecated.'),
});

/** The caller's own account, in GET /users/me. */
export function ownUser(
  user: User,
  profile: readonly ProfileValue[],
  maxMessageId: number,
): z.infer<typeof ownUserSchema> {
  return {
    ...publicUser(user, { userId: user.id, role: user.role }, false, profile),
    delivery_email: user.deliveryEmail,
    avatar_url: ownAvatarUrl(user),
    // There is no billing.
    is_billing_admin: false,
    is_active: user.isActive,
    max_message_id: maxMessageId,
  };
}

/** Never null: users always see their own picture. */
export function ownAvatarUrl(user: User): string {
  return avatarUrl(user, false) as string;
}

const defaults = {
  default_sending_stream: z.string().nullable().describe('Name of a channel.'),
  default_events_register_stream: z.string().nullable().describe('Name of a channel.'),
  default_all_public_streams: z.boolean(),
};

/** A bot's default channels. */
export const botDefaultsSchema = z.strictObject(defaults);

/** A bot as its managers see it, in the state of POST /register. */
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

/** Never null: managers of a bot see its picture. */
export function botAvatarUrl({ user }: Bot): string {
  return avatarUrl(user as User, false) as string;
}
