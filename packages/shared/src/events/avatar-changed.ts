import type { User } from '../proto';
import { avatarUrl } from '../wire';
import type { Audience } from './audience';
import { declareEvent } from './declare-event';
import { avatarUpdate } from './person-update';

export interface AvatarChanged {
  userId: number;
  /** The account as it is now. */
  user: User;
  audience: Audience;
  /** Of a bot: its owner, and the people who administer the organization. */
  managerIds: number[];
}

/** A user has another picture. Public events `realm_user`, for those who know the user, and `realm_bot`. */
export const avatarChanged = declareEvent<AvatarChanged>()('avatar.changed', [
  avatarUpdate(({ audience }) => audience),
  {
    type: 'realm_bot',
    audience: ({ managerIds }) => ({ to: 'users', userIds: managerIds }),
    variant: () => '',
    render: ({ user }) => ({
      type: 'realm_bot',
      op: 'update',
      bot: { user_id: user.id, avatar_url: avatarUrl(user, false) },
    }),
  },
]);
