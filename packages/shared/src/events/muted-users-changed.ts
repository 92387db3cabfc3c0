import type { MutedUser } from '../proto';
import { publicMutedUser } from '../wire';
import { declareEvent } from './declare-event';

export interface MutedUsersChanged {
  userId: number;
  /** Whom the user has muted or unmuted just now. */
  mutedUserId: number;
  isMuted: boolean;
  /** Everybody whom the user has muted now. */
  mutedUsers: MutedUser[];
}

/** A user has muted or unmuted another one. Public event `muted_users`, for that user. */
export const mutedUsersChanged = declareEvent<MutedUsersChanged>()('muted-users.changed', [
  {
    type: 'muted_users',
    audience: ({ userId }) => ({ to: 'users', userIds: [userId] }),
    variant: () => '',
    render: ({ mutedUsers }) => ({ type: 'muted_users', muted_users: mutedUsers.map(publicMutedUser) }),
  },
]);
