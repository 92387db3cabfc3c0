import type { Transaction } from '@parley/shared/db';
import { avatarChanged, type DomainEvent } from '@parley/shared/events';
import type { User } from '@parley/shared/proto';
import { botManagerIds } from '../bots/bot-manager-ids';
import { userAudience } from '../users/accessible-users';
import { replaceAvatar } from './avatars.sql';
import type { Avatar } from './make-avatar';

export interface AvatarChange {
  /** As the account is now. */
  user: User;
  events: DomainEvent[];
}

/** Gives a person or a bot the picture, or none of their own (null); returns what is to be announced. */
export async function changeAvatar(tx: Transaction, user: User, avatar: Avatar | null): Promise<AvatarChange> {
  const { realmId, id: userId, avatarFileName: _former, ...rest } = user;
  const avatarVersion = await replaceAvatar(tx, realmId, userId, avatar);
  const changed: User = {
    ...rest,
    realmId,
    id: userId,
    avatarVersion,
    ...(avatar ? { avatarSource: 'U', avatarFileName: avatar.fileName } : { avatarSource: 'G' }),
  };
  const managerIds = user.isBot ? await botManagerIds(tx, realmId, userId) : [];
  const audience = await userAudience(tx, realmId, userId);
  return { user: changed, events: [avatarChanged(realmId, { userId, user: changed, audience, managerIds })] };
}
