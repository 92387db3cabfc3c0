import type { ProfileValue, User } from '@parley/shared/proto';
import { isEmailVisibleTo } from '@parley/shared/values';
import { publicUser as sharedPublicUser } from '@parley/shared/wire';
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

/** Outside the lists of POST /register, which tell active users from others. */
export const userWithActivitySchema = userSchema.extend({ is_active: z.boolean() });

export type PublicUser = z.infer<typeof userSchema>;

/** A user as `viewer` may see them, and what their profile says; in the lists of POST /register. */
export function publicUser(
  user: User,
  viewer: Viewer,
  clientGravatar: boolean,
  profile: readonly ProfileValue[] = [],
): PublicUser {
  const isDeliveryEmailShown = maySeeDeliveryEmail(user, viewer);
  return sharedPublicUser(user, { isDeliveryEmailShown, clientGravatar, isActivityShown: false }, profile);
}

/** The same elsewhere; `profile` null: without what the profile says. */
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
