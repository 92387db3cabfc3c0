import type { User } from '../proto';
import { declareEvent } from './declare-event';
import { personAddition } from './person-addition';

export interface UserMet {
  user: User;
  /** Those of them who see the real address, and those who do not. */
  seerIds: number[];
  otherIds: number[];
}

/** Guests know a user whom they could not know until now. Public event `realm_user`, for those guests. */
export const userMet = declareEvent<UserMet>()('user.met', [
  personAddition(({ seerIds: userIds }) => ({ to: 'users', userIds }), true),
  personAddition(({ otherIds: userIds }) => ({ to: 'users', userIds }), false),
]);
