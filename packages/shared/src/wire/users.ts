import type { Presence, ProfileValue, User } from '../proto';
import { dummyEmail, EMAIL_VISIBLE_TO, isAdministrator, isGuest, PRESENCE, ROLES, toSeconds } from '../values';
import { defaultPictureUrl } from './default-pictures';

/** How much of a user the viewer may see. */
interface UserView {
  isDeliveryEmailShown: boolean;
  clientGravatar: boolean;
  /** Whether the object has `is_active`; lists that are divided by it omit it. */
  isActivityShown: boolean;
}

/** The API's user object; `profile` null: without profile values. */
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

/** A user in the lists of visitors who are not signed in: no address, no time zone, and only the day of joining. */
export function visitorsUser(user: User) {
  const view = { isDeliveryEmailShown: false, clientGravatar: false, isActivityShown: false };
  const joinedOn = new Date(user.joinedAtMs).toISOString().slice(0, 10);
  return { ...publicUser(maskedForVisitors(user), view, null), date_joined: joinedOn };
}

/** A user without the properties hidden from visitors: a person's addresses and time zone. */
export function maskedForVisitors(user: User): User {
  if (user.isBot) return user;
  const { nobody: emailAddressVisibility } = EMAIL_VISIBLE_TO;
  return { ...user, email: dummyEmail(user.id), deliveryEmail: '', emailAddressVisibility, timezone: '' };
}

/** ISO 8601 with offset, to the minute: `2019-10-20T07:50+00:00`. */
function toIsoMinutes(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16)}+00:00`;
}

/** A user object's `profile_data`: values by field. */
function publicProfileData(values: readonly ProfileValue[]) {
  return Object.fromEntries(values.map((value) => [String(value.fieldId), publicProfileValue(value)]));
}

function publicProfileValue({ value, renderedValue }: ProfileValue) {
  return renderedValue === undefined ? { value } : { value, rendered_value: renderedValue };
}

/** What the picture depends on; who may see the address: for `client_gravatar` only. */
export interface PicturedUser extends Pick<User, 'id' | 'realmId' | 'fullName' | 'avatarVersion' | 'avatarFileName'> {
  emailAddressVisibility?: number;
}

/**
 * The address of a user's picture. `client_gravatar` clients want none (null) where there is no uploaded one and the real address
 * is visible to everyone: they look for a Gravatar. No other address leads to a third party.
 */
export function avatarUrl(user: PicturedUser, clientGravatar: boolean): string | null {
  if (user.avatarFileName !== undefined) return uploadedUrl(user, user.avatarFileName);
  if (clientGravatar && user.emailAddressVisibility === EMAIL_VISIBLE_TO.everyone) return null;
  return defaultUrl(user);
}

/** The same picture, larger; never null. Default pictures have any size. */
export function mediumAvatarUrl(user: User): string {
  if (user.avatarFileName !== undefined) return uploadedUrl(user, `${user.avatarFileName}-medium`);
  return defaultUrl(user);
}

/** All properties of the picture, in events. */
export function publicAvatar(user: User) {
  return {
    avatar_url: avatarUrl(user, false),
    avatar_url_medium: mediumAvatarUrl(user),
    avatar_source: user.avatarSource,
    avatar_version: user.avatarVersion,
  };
}

function uploadedUrl({ realmId, avatarVersion }: PicturedUser, name: string): string {
  return `/user_avatars/${realmId}/${name}.png?version=${avatarVersion}`;
}

function defaultUrl({ id, fullName, avatarVersion }: PicturedUser): string {
  return defaultPictureUrl({ id, name: fullName, version: avatarVersion });
}

type Times = Pick<Presence, 'activeAtMs' | 'connectedAtMs'>;

/** A user's last activity, for current clients; for POST /register, the presence endpoints and events. */
export function publicPresence({ activeAtMs, connectedAtMs }: Times) {
  return { active_timestamp: toSeconds(activeAtMs), idle_timestamp: toSeconds(connectedAtMs) };
}

/** The same for older clients, which expect one entry per program. */
export function publicLegacyPresence({ activeAtMs, connectedAtMs }: Times) {
  const isActive = activeAtMs + PRESENCE.legacyActiveSecs * 1000 >= connectedAtMs;
  return {
    client: 'website',
    status: isActive ? ('active' as const) : ('idle' as const),
    timestamp: toSeconds(isActive ? activeAtMs : connectedAtMs),
    pushable: false,
  };
}
