import type { Audience } from './audience';
import { declareEvent } from './declare-event';
import { personUpdate } from './person-update';

export interface UserRoleChanged {
  userId: number;
  role: number;
  audience: Audience;
  /**
   * Queues of the user that were made for what they could see before, and would go on with it, or without what they see now: their
   * clients have to begin anew. `wide`: those that hear all public channels.
   */
  endsQueues: 'all' | 'wide' | 'none';
}

/** A user has another role. Public event `realm_user`, for those who know the user. */
export const userRoleChanged = declareEvent<UserRoleChanged>()('user.role-changed', [
  personUpdate(
    ({ audience }) => audience,
    ({ role }) => ({ role }),
  ),
]);
