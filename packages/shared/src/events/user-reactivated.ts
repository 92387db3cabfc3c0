import type { Audience } from './audience';
import { declareEvent } from './declare-event';
import { personUpdate } from './person-update';

export interface UserReactivated {
  userId: number;
  audience: Audience;
  /** Of a bot: its owner, and the people who administer the organization. */
  managerIds: number[];
}

/** An account is in use again. Public events `realm_user`, for those who know the user, and `realm_bot`. */
export const userReactivated = declareEvent<UserReactivated>()('user.reactivated', [
  personUpdate(
    ({ audience }) => audience,
    () => ({ is_active: true }),
  ),
  {
    type: 'realm_bot',
    audience: ({ managerIds }) => ({ to: 'users', userIds: managerIds }),
    variant: () => '',
    render: ({ userId }) => ({ type: 'realm_bot', op: 'update', bot: { user_id: userId, is_active: true } }),
  },
]);
