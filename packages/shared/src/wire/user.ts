import type { ProfileValue, User } from '../proto';
import { dummyEmail, EMAIL_VISIBLE_TO, isAdministrator, isGuest, ROLES } from '../values';
import { avatarUrl } from './avatar';
import { publicProfileData } from './profile-data';

/** How a user is shown to somebody. */
export interface UserView {
  isDeliveryEmailShown: boolean;
  clientGravatar: boolean;
  /** Whether the client is told if the account is active; lists that are sorted by it leave it out. */
  isActivityShown: boolean;
}

/** The API's user object; `profile` null: without what the profile says. */
export function publicUser(user: User, view: UserView, profile: readonly ProfileValue[] | null) {
  return {
    user_id: user.id,
    email: user.email,
    delivery_email: view.isDeliveryEmailShown ? user.deliveryEmail : null,
    full_name: user.fullName,
    date_joined: toIsoMinutes(user.joinedAtMs),
    ...(view.isActivityShown && { is_active: user.isActive }),
    role: user.role,
    is_owner: user.role === ROLES.owner,
    is_admin: isAdministrator(user.role),
    is_guest: isGuest(user.role),
    is_bot: user.isBot,
    ...(user.isBot && { bot_owner_id: user.botOwnerId ?? null }),
    ...(user.botType !== undefined && { bot_type: user.botType }),
    ...(user.isSystemBot && { is_system_bot: true }),
    ...(!user.isBot && profile !== null && { profile_data: publicProfileData(profile) }),
    timezone: user.timezone,
    avatar_url: avatarUrl(user, view.clientGravatar),
    avatar_version: user.avatarVersion,
  };
}

/** The same in a list for whoever is not signed in: they get to know no address, no time zone, and the day somebody joined. */
export function visitorsUser(user: User) {
  const view = { isDeliveryEmailShown: false, clientGravatar: false, isActivityShown: false };
  const joinedOn = new Date(user.joinedAtMs).toISOString().slice(0, 10);
  return { ...publicUser(maskedForVisitors(user), view, null), date_joined: joinedOn };
}

/** A user without what whoever is not signed in is not told: a person's addresses, a picture that is found by one, the time zone. */
export function maskedForVisitors(user: User): User {
  if (user.isBot) return user;
  const { nobody: emailAddressVisibility } = EMAIL_VISIBLE_TO;
  return { ...user, email: dummyEmail(user.id), deliveryEmail: '', emailAddressVisibility, timezone: '' };
}

/** ISO 8601 with offset, to the minute: `2019-10-20T07:50+00:00`. */
function toIsoMinutes(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16)}+00:00`;
}
