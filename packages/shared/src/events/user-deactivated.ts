import type { Audience } from './audience';
import { declareEvent } from './declare-event';
import { personRemoval, personUpdate } from './person-update';

export interface UserDeactivated {
  userId: number;
  isBot: boolean;
  /** Those who know the user still. */
  audience: Audience;
  /** Guests who know the user no more. */
  lostByIds: number[];
  /** Of a bot: its owner, and the people who administer the organization. */
  managerIds: number[];
}

/**
 * An account is out of use: its keys and queues are gone, its subscriptions rest. Public events `realm_user`, for everybody, and
 * `realm_bot`.
 */
export const userDeactivated = declareEvent<UserDeactivated>()('user.deactivated', [
  personUpdate(
    ({ audience }) => audience,
    () => ({ is_active: false }),
  ),
  personRemoval(({ lostByIds }) => lostByIds),
  {
    type: 'realm_bot',
    audience: ({ managerIds }) => ({ to: 'users', userIds: managerIds }),
    variant: () => '',
    render: ({ userId }) => ({ type: 'realm_bot', op: 'update', bot: { user_id: userId, is_active: false } }),
  },
]);
