import { createHash } from 'node:crypto';
import type { User } from '../proto';
import { EMAIL_VISIBLE_TO } from '../values';

const MEDIUM_GRAVATAR_PX = 500;

/**
 * Where a user's picture is. `client_gravatar` clients compute it themselves when they can (null): the picture is a Gravatar
 * and the real address is visible to everyone.
 */
export function avatarUrl(user: User, clientGravatar: boolean): string | null {
  if (user.avatarFileName !== undefined) return uploadedUrl(user, user.avatarFileName);
  if (clientGravatar && user.emailAddressVisibility === EMAIL_VISIBLE_TO.everyone) return null;
  return gravatarUrl(user);
}

/** The same picture, larger; never null. */
export function mediumAvatarUrl(user: User): string {
  if (user.avatarFileName !== undefined) return uploadedUrl(user, `${user.avatarFileName}-medium`);
  return `${gravatarUrl(user)}&s=${MEDIUM_GRAVATAR_PX}`;
}

/** Everything about the picture, in events. */
export function publicAvatar(user: User) {
  return {
    avatar_url: avatarUrl(user, false),
    avatar_url_medium: mediumAvatarUrl(user),
    avatar_source: user.avatarSource,
    avatar_version: user.avatarVersion,
  };
}

function uploadedUrl({ realmId, avatarVersion }: User, name: string): string {
  return `/user_avatars/${realmId}/${name}.png?version=${avatarVersion}`;
}

/** Of the address that everybody sees: a hash of a hidden one would tell it to whoever guesses it. */
function gravatarUrl({ email, avatarVersion }: User): string {
  const hash = createHash('md5').update(email.trim().toLowerCase()).digest('hex');
  return `https://secure.gravatar.com/avatar/${hash}?d=identicon&version=${avatarVersion}`;
}
