import type { ProfileValue, User } from '@parley/shared/proto';
import { avatarUrl } from '@parley/shared/wire';
import { z } from 'zod';
import { publicUser, userSchema } from './user';

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
    // Billing does not exist here.
    is_billing_admin: false,
    is_active: user.isActive,
    max_message_id: maxMessageId,
  };
}

/** Never null: the account's holder may always see their own picture. */
export function ownAvatarUrl(user: User): string {
  return avatarUrl(user, false) as string;
}
