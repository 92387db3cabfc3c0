import { createHash } from 'node:crypto';
import type { User } from '../proto';

const GRAVATAR = 'G';
const VISIBLE_TO_EVERYONE = 1;

/**
 * Where a user's picture is. `client_gravatar` clients compute it themselves when they can (null): the picture is a Gravatar
 * and the real address is visible to everyone.
 */
export function avatarUrl(user: User, clientGravatar: boolean): string | null {
  if (user.avatarSource !== GRAVATAR)
    return `/user_avatars/${user.realmId}/${user.id}.png?version=${user.avatarVersion}`;
  if (clientGravatar && user.emailAddressVisibility === VISIBLE_TO_EVERYONE) return null;
  return gravatarUrl(user.deliveryEmail, user.avatarVersion);
}

/** The same picture, larger; never null. */
export function mediumAvatarUrl(user: User): string {
  const url = avatarUrl(user, false) as string;
  return url.startsWith('/') ? url.replace('.png?', '-medium.png?') : `${url}&s=500`;
}

function gravatarUrl(email: string, version: number): string {
  const hash = createHash('md5').update(email.trim().toLowerCase()).digest('hex');
  return `https://secure.gravatar.com/avatar/${hash}?d=identicon&version=${version}`;
}
