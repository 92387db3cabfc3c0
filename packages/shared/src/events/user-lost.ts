import { declareEvent } from './declare-event';
import { personRemoval } from './person-update';

export interface UserLost {
  userId: number;
  guestIds: number[];
}

/** Guests may not know a user any more. Public event `realm_user`, for those guests. */
export const userLost = declareEvent<UserLost>()('user.lost', [personRemoval(({ guestIds }) => guestIds)]);
