import type { ProfileValue, User } from '@parley/shared/proto';
import { isAdministrator, isEmailVisibleTo, isGuest, ROLES } from '@parley/shared/values';
import { avatarUrl, publicProfileData } from '@parley/shared/wire';
import { z } from 'zod';

/** Whoever looks at somebody. */
export interface Viewer {
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
  bot_type: z.int().optional(),
  bot_owner_id: z.int().nullable().optional(),
  timezone: z.string(),
  avatar_url: z.string().nullable(),
  avatar_version: z.int(),
  profile_data: z
    .record(z.string(), z.strictObject({ value: z.string(), rendered_value: z.string().optional() }))
    .optional(),
});

export type PublicUser = z.infer<typeof userSchema>;

/** A user as `viewer` may see them, and what their profile says; in the lists of POST /register. */
export function publicUser(
  user: User,
  viewer: Viewer,
  clientGravatar: boolean,
  profile: readonly ProfileValue[] = [],
): PublicUser {
  return {
    user_id: user.id,
    email: user.email,
    delivery_email: maySeeDeliveryEmail(user, viewer) ? user.deliveryEmail : null,
    full_name: user.fullName,
    date_joined: toIsoMinutes(user.joinedAtMs),
    role: user.role,
    is_owner: user.role === ROLES.owner,
    is_admin: isAdministrator(user.role),
    is_guest: isGuest(user.role),
    is_bot: user.isBot,
    ...(user.isBot
      ? { bot_owner_id: user.botOwnerId ?? null, ...(user.botType !== undefined && { bot_type: user.botType }) }
      : { profile_data: publicProfileData(profile) }),
    timezone: user.timezone,
    avatar_url: avatarUrl(user, clientGravatar),
    avatar_version: user.avatarVersion,
  };
}

export function maySeeDeliveryEmail(user: Pick<User, 'id' | 'emailAddressVisibility'>, viewer: Viewer): boolean {
  return user.id === viewer.userId || isEmailVisibleTo(viewer.role, user.emailAddressVisibility);
}

/** ISO 8601 with offset, to the minute: `2019-10-20T07:50+00:00`. */
export function toIsoMinutes(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16)}+00:00`;
}
