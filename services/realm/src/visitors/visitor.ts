import type { User } from '@parley/shared/proto';
import { dummyEmail, EMAIL_VISIBLE_TO, ROLES, VISITOR_ID } from '@parley/shared/values';

/** In the place of an account: whoever is not signed in, with the rights of a guest who is in no group. */
export function visitor(realmId: number): User {
  return {
    id: VISITOR_ID,
    realmId,
    email: dummyEmail(VISITOR_ID),
    deliveryEmail: '',
    fullName: 'Anonymous User',
    role: ROLES.guest,
    isBot: false,
    isActive: true,
    timezone: '',
    avatarSource: 'G',
    avatarVersion: 1,
    emailAddressVisibility: EMAIL_VISIBLE_TO.nobody,
    joinedAtMs: 0,
  };
}
