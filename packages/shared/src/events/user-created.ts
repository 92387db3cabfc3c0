import type { User } from '../proto';
import { unknownUser } from '../values';
import { publicUser } from '../wire';
import type { Audience } from './audience';
import { declareEvent } from './declare-event';
import { personAddition } from './person-addition';

export interface UserCreated {
  user: User;
  /** Those who know the user and see the real address; those who do not see it. */
  seers: Audience;
  others: Audience;
  /** Guests who may not know the user. */
  strangerIds: number[];
}

/**
 * There is one more account. Public event `realm_user`, for everybody: guests who may not know the user get an unknown one, unless
 * their client does without.
 */
export const userCreated = declareEvent<UserCreated>()('user.created', [
  personAddition(({ seers }) => seers, true),
  personAddition(({ others }) => others, false),
  {
    type: 'realm_user',
    audience: ({ strangerIds }) => ({ to: 'users', userIds: strangerIds }),
    isFor: (_payload, { capabilities }) => !capabilities.includes('user_list_incomplete'),
    variant: () => '',
    render: ({ user }) => ({
      type: 'realm_user',
      op: 'add',
      person: publicUser(
        unknownUser(user.realmId, user.id),
        { isDeliveryEmailShown: false, clientGravatar: false, isActivityShown: true },
        [],
      ),
      inaccessible_user: true,
    }),
  },
]);
